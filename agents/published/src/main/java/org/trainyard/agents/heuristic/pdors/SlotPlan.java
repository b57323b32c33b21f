package org.trainyard.agents.heuristic.pdors;

import java.util.Arrays;

/**
 * The machines of a job in one slot.
 *
 * @param workers by machine
 * @param servers by machine
 * @param cost at the prices before
 */
@SuppressWarnings("ArrayRecordComponent") // numbers of a solver, never compared
record SlotPlan(int[] workers, int[] servers, double cost) {
    static SlotPlan none(int machines) {
        return new SlotPlan(new int[machines], new int[machines], 0);
    }

    /** Machines with workers. */
    int machines() {
        return (int) Arrays.stream(workers).filter(count -> count > 0).count();
    }

    int workerCount() {
        return Arrays.stream(workers).sum();
    }
}
