package org.trainyard.env.scheduling.preemption;

import org.trainyard.env.Invalid;
import org.trainyard.env.simulation.SimView;

/**
 * Charge of a scheduler for the restart and the lost work of a job that it would preempt, beside its other costs.
 *
 * @param weight factor on both; 0 to count nothing
 */
public record PreemptionCharge(double weight) {
    public static final PreemptionCharge NONE = new PreemptionCharge(0);

    /** The assumed restart cost of a migrated job, seconds. */
    private static final double RESTART_SECONDS = 60;

    public PreemptionCharge {
        Invalid.when(!(weight >= 0), "weight (%s) must not be negative", weight);
    }

    /** The charge for preempting a running job now, seconds. */
    public double seconds(SimView view, int job) {
        return weight == 0 ? 0 : weight * (view.restartSeconds(job) + view.unsavedSeconds(job));
    }

    /** The restart of a migrated job as a share of the remaining time, at most 1. */
    static double restartShare(double remainingSeconds) {
        return RESTART_SECONDS / Math.max(RESTART_SECONDS, remainingSeconds);
    }

    /** The charge as a share of the remaining time. */
    double share(SimView view, int job, double remainingSeconds) {
        return weight == 0 ? 0 : seconds(view, job) / Math.max(1, remainingSeconds);
    }

    /** Whether a job is still above a rank once the charge is taken off its own, as a share of its remaining time. */
    public boolean isAbove(SimView view, int job, double rank, double limit) {
        return weight == 0 || rank * (1 - share(view, job, view.predictedRemainingSeconds(job))) > limit;
    }
}
