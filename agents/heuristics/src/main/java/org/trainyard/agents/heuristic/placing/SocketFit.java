package org.trainyard.agents.heuristic.placing;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Best fit from the socket up: the socket with the fewest free GPUs that fits, or else {@link BestFit}, which goes on
 * with servers, racks, pods and the whole. O(GPUs).
 */
public final class SocketFit implements Placer {
    private final BestFit bestFit = new BestFit();
    private final GangBuilder gang = new GangBuilder();

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        int server = job.demand().isPlain() ? tightest(view, job.gpus()) : SimView.NONE;
        if (server == SimView.NONE) {
            return bestFit.place(view, job);
        }
        // On this server the builder takes the tightest socket, which is the one found.
        PlacementBuilder builder = gang.on(view, job.demand());
        builder.take(server, job.gpus());
        return builder.build();
    }

    /** The server of the tightest socket with room, or {@link SimView#NONE}. */
    private static int tightest(SimView view, int gpus) {
        Topology topology = view.topology();
        int best = SimView.NONE;
        int bestFree = Integer.MAX_VALUE;
        for (int server = 0; server < topology.servers() && bestFree > gpus; server++) {
            if (view.cluster().freeOn(server) >= gpus) {
                int free = tightestOn(topology, view.cluster(), server, gpus);
                if (free < bestFree) {
                    best = server;
                    bestFree = free;
                }
            }
        }
        return best;
    }

    /** The fewest free GPUs of a socket of the server that has enough, or {@link Integer#MAX_VALUE}. */
    private static int tightestOn(Topology topology, Cluster cluster, int server, int gpus) {
        int sockets = topology.server(server).sockets();
        int perSocket = topology.gpusOn(server) / sockets;
        int best = Integer.MAX_VALUE;
        for (int socket = 0; socket < sockets; socket++) {
            int first = topology.firstGpu(server) + socket * perSocket;
            int free = 0;
            for (int gpu = first; gpu < first + perSocket; gpu++) {
                free += cluster.owner(gpu) == Cluster.FREE ? 1 : 0;
            }
            best = free >= gpus ? Math.min(best, free) : best;
        }
        return best;
    }
}
