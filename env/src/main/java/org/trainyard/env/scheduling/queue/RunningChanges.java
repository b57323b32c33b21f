package org.trainyard.env.scheduling.queue;

import java.util.function.IntConsumer;
import org.trainyard.env.simulation.SimView;

/** The jobs that have started, stopped or moved since the last call, by the journal. */
final class RunningChanges {
    private int journalRead;
    /** What {@link SimView#version} counts beside the entries of the journal: corrections of the past of a live cluster. */
    private long corrections;

    /**
     * Reports every job that has started, stopped or moved, some more than once. When the past of a live cluster was corrected, or entries are forgotten that were
     * not read, everything known is forgotten first and every running job reported.
     */
    void read(SimView view, Runnable forget, IntConsumer changed) {
        long correctionsNow = view.version() - view.journalSize();
        if (correctionsNow != corrections || journalRead < view.journalStart()) {
            corrections = correctionsNow;
            journalRead = view.journalSize();
            forget.run();
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                changed.accept(job);
            }
        }
        for (; journalRead < view.journalSize(); journalRead++) {
            switch (view.journalKind(journalRead)) {
                case START, RESIZE, PREEMPT, KILL, FINISH -> changed.accept(view.journalJob(journalRead));
                case ARRIVE, FORWARD, DOWN, UP, REJECT, FREEZE, HOST_CPU, HOST_MEMORY -> {}
            }
        }
    }
}
