package org.trainyard.experiments.papers.marl;

import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/** A scheduler that decides at the ends of equal intervals alone, as in the paper, and not at every event. */
final class IntervalScheduler implements Scheduler {
    private final Scheduler inner;
    private final long nanos;

    IntervalScheduler(Scheduler inner, long nanos) {
        this.inner = inner;
        this.nanos = nanos;
    }

    @Override
    public Decision decide(SimView view) {
        long into = view.nowNanos() % nanos;
        Decision decision = into == 0 ? inner.decide(view) : Decision.WAIT;
        // With nothing left to do, time passes until the next job arrives.
        boolean isIdle = view.waitingCount() == 0;
        return decision instanceof Decision.Wait && !isIdle
                ? Decision.waitUntil(view.nowNanos() - into + nanos)
                : decision;
    }
}
