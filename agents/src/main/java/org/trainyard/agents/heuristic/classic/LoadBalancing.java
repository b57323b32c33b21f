package org.trainyard.agents.heuristic.classic;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.CandidateServers;
import org.trainyard.env.scheduling.placement.GangBuilder;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * A load-balancing placer: each worker in turn goes to the server with the smallest fraction of its GPUs in use,
 * the first of equals.
 *
 * <p>Source: the load-balancing baseline of X. Zhao, C. Wu: Large-scale machine learning cluster scheduling via
 * multi-agent graph reinforcement learning, arXiv 2112.13354, 2021, which states only the aim. Ours: (1) the load
 * of a server is its GPUs in use over all its GPUs; (2) a job that must be on one server goes to the least loaded
 * server with room for all its workers. No knobs. O(servers x GPUs of the job).
 */
public final class LoadBalancing implements Placer {
    private final GangBuilder gang = new GangBuilder();
    private int[] room = new int[0];
    private int[] takes = new int[0];

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        PlacementBuilder builder = gang.ifRoom(view, job);
        if (builder == null) {
            return null;
        }
        int servers = view.topology().servers();
        if (room.length < servers) {
            room = new int[servers];
            takes = new int[servers];
        }
        for (int server = 0; server < servers; server++) {
            room[server] = builder.available(server);
            takes[server] = 0;
        }
        int workers = Math.max(1, job.gpus());
        int atOnce = job.demand().oneServer() ? workers : 1;
        for (int placed = 0; placed < workers; placed += atOnce) {
            int server = leastLoaded(view, atOnce);
            if (server == SimView.NONE) {
                return null;
            }
            takes[server] += atOnce;
        }
        for (int server = 0; server < servers; server++) {
            if (takes[server] > 0) {
                builder.take(server, takes[server]);
            }
        }
        return builder.build();
    }

    private int leastLoaded(SimView view, int workers) {
        return CandidateServers.lowest(
                0,
                view.topology().servers(),
                server -> room[server] - takes[server] >= workers,
                server -> load(view, server));
    }

    private double load(SimView view, int server) {
        int gpus = view.topology().gpusOn(server);
        int used = gpus - view.cluster().freeOn(server) + takes[server];
        return (double) used / Math.max(1, gpus);
    }
}
