package org.trainyard.agents.heuristic;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Cluster;
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
        Cluster cluster = view.cluster();
        if (cluster.free() < job.gpus()) {
            return null;
        }
        PlacementBuilder builder = gang.on(view);
        for (int server = 0; server < view.topology().servers(); server++) {
            if (cluster.freeOn(server) >= job.gpus()) {
                builder.take(server, job.gpus());
                return builder.build();
            }
        }
        for (int server = 0; builder.count() < job.gpus(); server++) {
            int taken = Math.min(cluster.freeOn(server), job.gpus() - builder.count());
            if (taken > 0) {
                builder.take(server, taken);
            }
        }
        return builder.build();
    }
}
