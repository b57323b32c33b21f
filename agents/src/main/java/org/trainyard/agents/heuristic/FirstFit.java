package org.trainyard.agents.heuristic;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * Places a job on the first server that holds it all or, failing that, on whatever is free in order of servers.
 *
 * <p>Blind to racks and to fragmentation; the usual baseline. O(servers).
 */
public final class FirstFit implements Placer {
    private final GangBuilder gang = new GangBuilder();

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        if (view.cluster().mostWorkers(job.demand()) < job.gpus()) {
            return null;
        }
        PlacementBuilder builder = gang.on(view, job.demand());
        int workers = Math.max(1, job.gpus());
        for (int server = 0; server < view.topology().servers(); server++) {
            if (builder.available(server) >= workers) {
                builder.take(server, workers);
                return builder.build();
            }
        }
        return ConstrainedFit.fill(builder, job.demand(), view.topology().servers(), server -> server);
    }
}
