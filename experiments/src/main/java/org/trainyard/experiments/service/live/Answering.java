package org.trainyard.experiments.service.live;

import org.trainyard.experiments.service.journal.AskedQuestion;

/** The way in which a service answers what to do on a cluster. */
interface Answering {
    /**
     * What to do at this time.
     *
     * @param fromNanos when the question came, by the clock of the service
     */
    PlacementAnswer answer(long nowNanos, long fromNanos);

    /**
     * Asks the scheduler again what it was asked before a restart, without limit of time, so that it remembers what
     * it did.
     */
    void askAgain(AskedQuestion question) throws InterruptedException;

    /** Number of answers in a row, up to the last, that its scheduler should have given and did not. */
    int missedInARow();
}
