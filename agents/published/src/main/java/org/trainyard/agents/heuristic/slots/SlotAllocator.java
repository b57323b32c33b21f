package org.trainyard.agents.heuristic.slots;

import org.trainyard.env.simulation.SimView;

/** Decides at the start of a slot which GPUs each job holds in it; it may keep state between slots. */
public interface SlotAllocator {
    /**
     * The GPUs, within {@link SlotCapacity}, of all jobs that hold some or shall, and the jobs that are rejected, which
     * must never have started.
     *
     * @param slot number of the slot that begins, from the start of the simulation
     */
    SlotAllocation allocate(SimView view, SlotJobs jobs, long slot);
}
