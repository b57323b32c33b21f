package org.trainyard.env.scheduling.placement;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * Consolidates: one server with the fewest free GPUs that fits or, failing that, the fewest servers in the tightest part of the
 * data centre that has room.
 *
 * <p>Parts are tried from racks over pods to the whole; among those that have room the one needing the fewest servers wins, then
 * the one with the fewest free GPUs, then the first. Inside, the servers with most free GPUs are taken whole and the rest goes to
 * the server it fits most tightly. O(servers x servers used). A demand for more than whole GPUs of any type that does not fit on one
 * server is spread over the servers with most room, wherever they are.
 */
public final class BestFit implements Placer {
    private static final int MOST_GPUS_ON_A_SERVER = 64;

    private final GangBuilder gang = new GangBuilder();
    private final int[] serversWithFree = new int[MOST_GPUS_ON_A_SERVER + 1];
    private int bestFrom;
    private int bestTo;
    private int bestServers;
    private int bestFree;

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        PlacementBuilder builder = gang.ifRoom(view, job);
        if (builder == null) {
            return null;
        }
        int workers = Math.max(1, job.gpus());
        int server = tightest(builder, workers, 0, view.topology().servers());
        if (server >= 0) {
            builder.take(server, workers);
            return builder.build();
        }
        if (!job.demand().isPlain()) {
            return widestFirst(view, job.demand(), builder);
        }
        choosePart(view, job.gpus());
        fill(builder, job.gpus());
        return builder.build();
    }

    /** Where not every free GPU will do: the servers with room for most workers first. */
    private static @Nullable Placement widestFirst(SimView view, Demand demand, PlacementBuilder builder) {
        int[] servers = IntStream.range(0, view.topology().servers())
                .boxed()
                .sorted(Comparator.comparingInt(server -> -builder.available(server)))
                .mapToInt(server -> server)
                .toArray();
        return ConstrainedFit.fill(builder, demand, servers.length, i -> servers[i]);
    }

    /** The server with the fewest GPUs available that fits {@code gpus}, or -1. */
    private static int tightest(PlacementBuilder builder, int gpus, int from, int to) {
        int best = -1;
        int bestFree = Integer.MAX_VALUE;
        for (int server = from; server < to; server++) {
            int free = builder.available(server);
            if (free >= gpus && free < bestFree) {
                best = server;
                bestFree = free;
            }
        }
        return best;
    }

    private void choosePart(SimView view, int gpus) {
        Topology topology = view.topology();
        Cluster cluster = view.cluster();
        bestServers = Integer.MAX_VALUE;
        for (int rack = 0; rack < topology.racks(); rack++) {
            consider(cluster, gpus, topology.firstServer(rack), lastServer(topology, rack), cluster.freeIn(rack));
        }
        if (bestServers == Integer.MAX_VALUE) {
            choosePod(topology, cluster, gpus);
        }
        if (bestServers == Integer.MAX_VALUE) {
            consider(cluster, gpus, 0, topology.servers(), cluster.free());
        }
    }

    private void choosePod(Topology topology, Cluster cluster, int gpus) {
        int rack = 0;
        while (rack < topology.racks()) {
            int first = rack;
            int free = 0;
            while (rack < topology.racks() && topology.podOf(rack) == topology.podOf(first)) {
                free += cluster.freeIn(rack++);
            }
            consider(cluster, gpus, topology.firstServer(first), lastServer(topology, rack - 1), free);
        }
    }

    private static int lastServer(Topology topology, int rack) {
        return topology.firstServer(rack) + topology.serversIn(rack);
    }

    private void consider(Cluster cluster, int gpus, int from, int to, int free) {
        if (free < gpus) {
            return;
        }
        int servers = serversNeeded(cluster, gpus, from, to);
        if (servers < bestServers || (servers == bestServers && free < bestFree)) {
            bestFrom = from;
            bestTo = to;
            bestServers = servers;
            bestFree = free;
        }
    }

    private int serversNeeded(Cluster cluster, int gpus, int from, int to) {
        Arrays.fill(serversWithFree, 0);
        for (int server = from; server < to; server++) {
            serversWithFree[cluster.freeOn(server)]++;
        }
        int servers = 0;
        int left = gpus;
        for (int free = MOST_GPUS_ON_A_SERVER; free > 0 && left > 0; free--) {
            int used = Math.min(serversWithFree[free], (left + free - 1) / free);
            servers += used;
            left -= used * free;
        }
        return servers;
    }

    private void fill(PlacementBuilder builder, int gpus) {
        while (builder.count() < gpus) {
            int left = gpus - builder.count();
            int server = tightest(builder, left, bestFrom, bestTo);
            if (server >= 0) {
                builder.take(server, left);
            } else {
                int emptiest = emptiest(builder);
                builder.take(emptiest, builder.available(emptiest));
            }
        }
    }

    private int emptiest(PlacementBuilder builder) {
        int best = bestFrom;
        for (int server = bestFrom + 1; server < bestTo; server++) {
            if (builder.available(server) > builder.available(best)) {
                best = server;
            }
        }
        return best;
    }
}
