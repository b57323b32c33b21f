package org.trainyard.agents.heuristic.placing;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * First fit: the first server that holds the whole job or, without one, free GPUs in the order of servers.
 *
 * <p>It ignores racks and fragmentation; the usual baseline. O(servers).
 */
public final class FirstFit implements Placer {
    private final GangBuilder gang = new GangBuilder();

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        PlacementBuilder builder = gang.ifRoom(view, job);
        if (builder == null) {
            return null;
        }
        return ConstrainedFit.wholeOrFill(builder, job.demand(), view.topology().servers(), server -> server);
    }
}
