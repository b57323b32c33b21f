package org.trainyard.agents.heuristic.classic;

import it.unimi.dsi.fastutil.ints.IntHeapPriorityQueue;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.GangBuilder;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * A load-balancing placer: each worker in turn goes to the server with the smallest fraction of its GPUs in use, the
 * first of equals.
 *
 * <p>Source: the load-balancing baseline of X. Zhao, C. Wu: Large-scale machine learning cluster scheduling via
 * multi-agent graph reinforcement learning, arXiv 2112.13354, 2021, which states only the aim. Ours: (1) the load of a
 * server is its GPUs in use over all its GPUs; (2) a job that must be on one server goes to the least loaded server
 * with room for all its workers. No knobs. O(servers + GPUs of the job x log servers).
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
        int workers = Math.max(1, job.gpus());
        int atOnce = job.demand().oneServer() ? workers : 1;
        // The loads of servers in the heap do not change: a server that takes workers is out of it meanwhile.
        IntHeapPriorityQueue leastLoaded = new IntHeapPriorityQueue(servers, (a, b) -> {
            int byLoad = Double.compare(load(view, a), load(view, b));
            return byLoad == 0 ? Integer.compare(a, b) : byLoad;
        });
        for (int server = 0; server < servers; server++) {
            room[server] = builder.available(server);
            takes[server] = 0;
            if (room[server] >= atOnce) {
                leastLoaded.enqueue(server);
            }
        }
        for (int placed = 0; placed < workers; placed += atOnce) {
            if (leastLoaded.isEmpty()) {
                return null;
            }
            int server = leastLoaded.dequeueInt();
            takes[server] += atOnce;
            if (room[server] - takes[server] >= atOnce) {
                leastLoaded.enqueue(server);
            }
        }
        for (int server = 0; server < servers; server++) {
            if (takes[server] > 0) {
                builder.take(server, takes[server]);
            }
        }
        return builder.build();
    }

    private double load(SimView view, int server) {
        int gpus = view.topology().gpusOn(server);
        int used = gpus - view.cluster().freeOn(server) + takes[server];
        return (double) used / Math.max(1, gpus);
    }
}
