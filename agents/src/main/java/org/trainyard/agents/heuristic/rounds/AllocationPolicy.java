package org.trainyard.agents.heuristic.rounds;

/** A policy that says for what part of the time each job should run; it may remember what it said. */
public interface AllocationPolicy {
    /**
     * For each job of the contest the part of the time it should run on all its GPUs, 0..1.
     *
     * <p>Weighted with GPUs the shares add up to no more than the cluster has, but for AlloX, which counts GPUs otherwise.
     */
    double[] of(AllocationProblem contest);
}
