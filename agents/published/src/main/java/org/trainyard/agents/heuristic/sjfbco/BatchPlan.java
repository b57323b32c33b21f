package org.trainyard.agents.heuristic.sjfbco;

import java.util.List;

/**
 * The plan of a batch: the GPUs of every gang, and the order of the gangs on each GPU.
 *
 * @param gangs in the order in which they were booked; on every GPU they run in this order
 * @param makespanSeconds completion of the last gang if all run for as long as booked, seconds from now
 * @param capSeconds theta, the cap on a GPU's booked time under which the plan was found
 * @param kappa the largest gang, in GPUs, that was placed as a small one; 0 where the policy has no such boundary
 */
record BatchPlan(List<Placed> gangs, double makespanSeconds, double capSeconds, int kappa) {
    /** A gang and its GPUs, which must not be modified. */
    @SuppressWarnings("ArrayRecordComponent") // Handed over, not compared.
    record Placed(Gang gang, int[] gpus) {}

    BatchPlan {
        gangs = List.copyOf(gangs);
    }
}
