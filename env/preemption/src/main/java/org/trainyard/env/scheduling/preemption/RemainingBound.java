package org.trainyard.env.scheduling.preemption;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.order.BoundedRank;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.SimView;

/**
 * Finds remaining times that running jobs do not exceed for a while: until their progress has grown by a tenth, if the
 * rank has bounds, else for this instant.
 */
public final class RemainingBound {
    /** A bound holds while the progress of a job grows by these shares of itself and of the prediction. */
    private static final double OF_PROGRESS = 0.1;

    private static final double OF_PREDICTED = 0.02;
    private static final double ROUNDING = 1 + 1e-9;

    private final Rank seconds;
    private final @Nullable BoundedRank bounded;
    private double most;
    private long untilNanos;

    /** @param seconds estimated remaining time of a job, seconds */
    public RemainingBound(Rank seconds) {
        this.seconds = seconds;
        bounded = seconds instanceof BoundedRank rank ? rank : null;
    }

    /** Changes when no earlier bound holds any longer. */
    public long version(SimView view) {
        return bounded == null ? 0 : bounded.bounds(view);
    }

    /** Finds the bound of a running job. */
    public void find(SimView view, int job) {
        double speed = BoundedRank.mostSpeed(view, job);
        if (bounded == null || !(speed > 0)) {
            most = seconds.of(view, job);
            untilNanos = view.nowNanos();
            return;
        }
        double progress = view.progressSeconds(job);
        double more = OF_PROGRESS * progress + OF_PREDICTED * view.predictedSeconds(job);
        most = ROUNDING * bounded.atMost(view, job, ROUNDING * (progress + more));
        untilNanos = view.nowNanos() + (long) Math.min(1e18, more / speed * 1e9);
    }

    /** The bound found last, seconds. */
    public double most() {
        return most;
    }

    /** The last instant for which it holds. */
    public long untilNanos() {
        return untilNanos;
    }
}
