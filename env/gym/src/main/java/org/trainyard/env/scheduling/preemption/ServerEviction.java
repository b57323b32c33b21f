package org.trainyard.env.scheduling.preemption;

/** Clears servers for a beneficiary, one after another at the least cost, which makes the plan under construction. */
interface ServerEviction {
    /** The plan under construction. */
    PreemptionPlan plan();

    /** Makes the plan under construction one that is known, or an empty one. */
    void resume(PreemptionPlan known);

    /**
     * A lower bound on the cost of the plan extended by servers of a range on which so many GPUs are cleared; infinity when that is impossible.
     *
     * @param isClose whether the bound is by the times that jobs have left now, which takes longer, rather than by bounds on these times
     */
    double leastCost(int gpus, int from, int to, boolean isClose);

    /**
     * Finds lower bounds by rack on the cost of the plan extended by servers of the rack on which so many GPUs are cleared.
     *
     * @param begins the first server of each rack, and the end of the last
     */
    default void leastCosts(int gpus, int[] begins, double[] bounds) {
        for (int rack = 0; rack < bounds.length; rack++) {
            bounds[rack] = leastCost(gpus, begins[rack], begins[rack + 1], false);
        }
    }

    /** Extends the plan by servers of a range; returns whether so many GPUs are cleared there and the whole plan costs less than the limit. */
    boolean clear(int gpus, int from, int to, double limit);
}
