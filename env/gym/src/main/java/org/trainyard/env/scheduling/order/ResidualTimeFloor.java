package org.trainyard.env.scheduling.order;

import org.trainyard.env.simulation.SimView;

/**
 * Remaining time by prediction, with a floor: the predicted remaining time, but at least a fixed share of the time
 * already run.
 *
 * <p>A job that has outrun its prediction is not nearly done: when run times are heavy-tailed, the expected remaining
 * time grows with the age (the argument for least attained service: J. Gu et al.: Tiresias, NSDI 2019).
 */
public final class ResidualTimeFloor {
    /** The floor, as a share of the time run. */
    private static final double SHARE_OF_AGE = 0.25;

    /**
     * A prediction less the time run and a quarter of that time are equal at this share of the prediction, less what
     * rounding may take.
     */
    private static final double LEAST_SHARE = SHARE_OF_AGE / (1 + SHARE_OF_AGE) * (1 - 1e-9);

    /** The floor, less what rounding may take. */
    private static final double LEAST_SHARE_OF_AGE = SHARE_OF_AGE * (1 - 1e-9);

    /** The floor, seconds, as a rank. */
    public static final BoundedRank RANK = new BoundedRank() {
        @Override
        public double of(SimView view, int job) {
            return seconds(view, job);
        }

        @Override
        public double atMost(SimView view, int job, double untilSeconds) {
            return Math.max(view.predictedRemainingSeconds(job), SHARE_OF_AGE * untilSeconds);
        }

        @Override
        public long bounds(SimView view) {
            return 0;
        }
    };

    private ResidualTimeFloor() {}

    /** Seconds that the remaining time of a job is never below from now on, until it is preempted. */
    public static double leastSeconds(SimView view, int job) {
        return Math.max(LEAST_SHARE * view.predictedSeconds(job), LEAST_SHARE_OF_AGE * view.progressSeconds(job));
    }

    public static double seconds(SimView view, int job) {
        double progress = view.progressSeconds(job);
        return Math.max(view.predictedRemainingSeconds(job, progress), SHARE_OF_AGE * progress);
    }
}
