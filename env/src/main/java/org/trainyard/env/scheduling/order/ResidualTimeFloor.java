package org.trainyard.env.scheduling.order;

import org.trainyard.env.simulation.SimView;

/**
 * How long a job is thought to need still: what was predicted less what is done, but no less than a part of what is done.
 *
 * <p>A job that has outrun its prediction is not nearly over: of heavy-tailed run times, the more a job has done the more it has still to
 * do (the reason for least attained service first: J. Gu et al.: Tiresias, NSDI 2019).
 */
public final class ResidualTimeFloor {
    /** Of what is done, this part at least is still to do. */
    private static final double OF_DONE = 0.25;

    private ResidualTimeFloor() {}

    public static double seconds(SimView view, int job) {
        return Math.max(view.predictedRemainingSeconds(job), OF_DONE * view.progressSeconds(job));
    }
}
