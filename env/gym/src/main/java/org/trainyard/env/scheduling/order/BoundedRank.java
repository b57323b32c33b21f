package org.trainyard.env.scheduling.order;

import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.FreezableModel;

/**
 * A rank that grows with the progress of a running job no faster than it says, so that who looks for the highest ranks
 * need not compute them all. At one instant it stays while jobs are only started and preempted.
 */
public interface BoundedRank extends Rank {
    /**
     * A number that the rank of a job does not exceed while its progress is at most {@code untilSeconds} and
     * {@link #bounds} stays as it is. O(1) where the progress grows by a tenth.
     *
     * @param untilSeconds at least the present {@link SimView#progressSeconds}
     */
    double atMost(SimView view, int job, double untilSeconds);

    /** Changes when earlier bounds no longer hold. */
    long bounds(SimView view);

    /**
     * How much the {@link SimView#progressSeconds} of a running job grows in a second at most, as long as it stays
     * where it is; 0 when that is not known.
     */
    static double mostSpeed(SimView view, int job) {
        return view.submitted(job).model().of(FreezableModel.class) != null
                ? 0
                : view.rateAlone(job) / view.submitted(job).idealIterationsPerSecond();
    }
}
