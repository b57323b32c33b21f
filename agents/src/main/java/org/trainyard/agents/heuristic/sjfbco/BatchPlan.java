package org.trainyard.agents.heuristic.sjfbco;

import java.util.List;

/**
 * Which GPUs every gang of a batch gets, and in which order the gangs of a GPU have it.
 *
 * @param gangs in the order in which they were booked; on every GPU they run in this order
 * @param makespanSeconds when the last is done if all run for as long as booked, seconds from now
 * @param capSeconds theta, the cap on a GPU's booked time under which it was found
 * @param kappa the largest gang, in GPUs, that was placed as a small one; 0 where the policy knows no such thing
 */
public record BatchPlan(List<Placed> gangs, double makespanSeconds, double capSeconds, int kappa) {
    /** A gang and its GPUs, which nobody may change. */
    @SuppressWarnings("ArrayRecordComponent") // Handed over, not compared.
    public record Placed(Gang gang, int[] gpus) {}

    public BatchPlan {
        gangs = List.copyOf(gangs);
    }
}
