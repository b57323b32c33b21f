package org.trainyard.agents.heuristic.slots;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.elastic.GpusByServer;
import org.trainyard.env.simulation.SimView;

/** Decides at the start of a slot which GPUs each job holds in it; it may keep state between slots. */
public interface SlotAllocator {
    /**
     * The GPUs of each of the jobs, within {@link SlotCapacity}; null for a job that is rejected, which must never have started.
     *
     * @param jobs waiting and running jobs of whole GPUs of any type, in order of submission
     * @param slot number of the slot that begins, from the start of the simulation
     */
    List<@Nullable GpusByServer> allocate(SimView view, List<Integer> jobs, long slot);
}
