package org.trainyard.agents.heuristic;

import org.trainyard.env.simulation.SimView;

/** Run times from an oracle, in whole microseconds: rounding keeps the ties that division would tear apart. */
final class KnownTime {
    private KnownTime() {}

    /** The whole run time of the job, nanoseconds. */
    static long nanos(SimView view, int job) {
        return Math.round(view.predictedSeconds(job) * 1e6) * 1000;
    }

    /** What is left of it, nanoseconds, where restarts cost nothing. */
    static long remainingNanos(SimView view, int job) {
        return nanos(view, job) - view.runNanos(job);
    }
}
