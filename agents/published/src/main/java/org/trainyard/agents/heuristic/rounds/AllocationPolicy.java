package org.trainyard.agents.heuristic.rounds;

/** An allocation policy: computes the share of time for which each job should run; it may keep state between calls. */
public interface AllocationPolicy {
    /**
     * The share of time of each job of the problem on all its GPUs, 0 to 1.
     *
     * <p>Weighted with GPUs the shares add up to at most the GPUs of the cluster, except in AlloX, which counts GPUs
     * otherwise.
     */
    double[] of(AllocationProblem problem);
}
