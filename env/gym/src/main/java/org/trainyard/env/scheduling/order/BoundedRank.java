package org.trainyard.env.scheduling.order;

import org.trainyard.env.simulation.SimView;

/**
 * A rank that grows with the progress of a running job no faster than it says, so that who looks for the highest
 * ranks need not compute them all. At one instant it stays while jobs are only started and preempted.
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
}
