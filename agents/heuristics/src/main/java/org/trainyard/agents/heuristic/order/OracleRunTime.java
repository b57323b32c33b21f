package org.trainyard.agents.heuristic.order;

import org.trainyard.env.simulation.SimView;

/** Run times from an oracle, rounded to microseconds so that equal run times stay equal in spite of rounding errors. */
public final class OracleRunTime {
    private OracleRunTime() {}

    /** The whole run time of the job, nanoseconds. */
    static long nanos(SimView view, int job) {
        return Math.round(view.predictedSeconds(job) * 1e6) * 1000;
    }

    /** The remaining run time, nanoseconds, if restarts cost nothing. */
    public static long remainingNanos(SimView view, int job) {
        return nanos(view, job) - view.runNanos(job);
    }
}
