package org.trainyard.agents.heuristic.backfill;

import org.trainyard.env.simulation.SimView;

/** How long a job that starts now is expected to hold its servers, at the most if estimates are true. */
public enum RunTimeEstimate {
    /** The time limit that the job said at its submission; the predicted rest of its run for a job without one. */
    LIMITS,
    /** The predicted rest of its run, but no more than its time limit. */
    PREDICTIONS;

    private static final double NANOS = 1e9;
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

    /** Run time, nanoseconds, of a job that waits now, or that has started at this instant; above zero. */
    long nanos(SimView view, int job) {
        long limit = view.job(job).terms().limitNanos();
        long most = limit == 0 ? LONGEST_NANOS : Math.min(limit, LONGEST_NANOS);
        if (this == LIMITS && limit > 0) {
            return most;
        }
        double predicted = Math.ceil(view.predictedRemainingSeconds(job) * NANOS);
        return Math.max(1, (long) Math.min((double) most, predicted));
    }
}
