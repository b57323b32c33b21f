package org.trainyard.env.gym.auction;

import java.util.Arrays;
import java.util.List;
import org.trainyard.env.simulation.SimView;

/**
 * By job, the time until which it accepts a consolidated place alone: an option that lasts, so that a job is not asked
 * again at every event.
 */
final class DelaySchedulingOptions {
    /** Lengths on offer, in remaining times of the job; the last is for ever. */
    static final double[] LENGTHS = {0.5, 1, 2, Double.POSITIVE_INFINITY};

    /** The column that marks each length. */
    static final List<BidColumn> COLUMNS = List.of(
            BidColumn.PATIENT_HALF, BidColumn.PATIENT_ONCE, BidColumn.PATIENT_TWICE, BidColumn.PATIENT_FOR_EVER);

    private static final double LEAST_SECONDS = 1800;
    private long[] until = new long[64];
    private int active;
    private long nextEnd = Long.MAX_VALUE;

    void give(SimView view, int job, int length, double remainingSeconds) {
        if (job >= until.length) {
            until = Arrays.copyOf(until, Math.max(2 * until.length, job + 1));
        }
        double seconds = Math.max(LEAST_SECONDS, LENGTHS[length] * remainingSeconds);
        until[job] = seconds < 1e9 ? view.nowNanos() + (long) (seconds * 1e9) : Long.MAX_VALUE;
    }

    /** Whether the job has an option now; nobody is patient while nothing runs. */
    boolean isPatient(SimView view, int job) {
        return job < until.length && until[job] > view.nowNanos() && view.runningCount() > 0;
    }

    /** Ends the option of a job that starts. */
    void end(int job) {
        if (job < until.length) {
            until[job] = 0;
        }
    }

    /** Counts the waiting jobs with an option and finds when the next option ends; O(waiting). */
    void survey(SimView view) {
        active = 0;
        nextEnd = Long.MAX_VALUE;
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            if (job < until.length && until[job] > view.nowNanos()) {
                active++;
                nextEnd = Math.min(nextEnd, until[job]);
            }
        }
    }

    /** Waiting jobs with an option at the last survey. */
    int active() {
        return active;
    }

    /** When the next of their options ends, nanoseconds; {@link Long#MAX_VALUE} for never. */
    long nextEndNanos() {
        return nextEnd;
    }
}
