package org.trainyard.agents.heuristic.placing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.FewestServers;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.placement.RackRanges;
import org.trainyard.env.scheduling.placement.SegmentRacks;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.FreeGpuIndex;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * Best fit with consolidation: the server with the fewest free GPUs that fits or, without one, the fewest servers in
 * the tightest part of the data centre with room.
 *
 * <p>Parts are tried from racks over pods to the whole; of those with room the one that needs the fewest servers wins,
 * then the one with the fewest free GPUs, then the first. Inside it, the servers with the most free GPUs are taken
 * whole and the rest goes to the server it fits most tightly. O(1) on one server, else O(servers of the parts that
 * could win + servers used). A demand for other than whole GPUs of any type that does not fit on one server is spread
 * over the servers with the most room, wherever they are; one in segments over the {@link SegmentRacks}.
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
        int server = job.demand().isOfGpusAlone()
                ? tightest(
                        view.cluster().byFreeGpus(),
                        builder,
                        workers,
                        0,
                        view.topology().servers())
                : tightest(builder, workers, 0, view.topology().servers());
        if (server >= 0) {
            builder.take(server, workers);
            return builder.build();
        }
        if (!job.demand().isPlain()) {
            return widestFirst(view, job.demand(), builder);
        }
        bestServers = Integer.MAX_VALUE;
        Cluster cluster = view.cluster();
        RackRanges.narrowestFirst(
                view.topology(),
                (first, last, from, to) -> consider(cluster, job.gpus(), first, last, from, to),
                () -> bestServers < Integer.MAX_VALUE);
        fill(cluster.byFreeGpus(), builder, job.gpus());
        return builder.build();
    }

    /** A placement for demands that not every free GPU meets: servers with room for the most workers first. */
    private static @Nullable Placement widestFirst(SimView view, Demand demand, PlacementBuilder builder) {
        int[] servers = demand.segment() > 0
                ? SegmentRacks.servers(view, demand)
                : CandidateServers.sorted(builder, view.topology().servers(), server -> -builder.available(server));
        return ConstrainedFit.fill(builder, demand, servers.length, i -> servers[i]);
    }

    /** The server of a range with the fewest GPUs available that fits so many, or {@link SimView#NONE}. */
    private static int tightest(PlacementBuilder builder, int gpus, int from, int to) {
        int tightest = SimView.NONE;
        int least = Integer.MAX_VALUE;
        for (int server = from; server < to; server++) {
            int free = builder.available(server);
            if (free == gpus) {
                return server;
            }
            if (free > gpus && free < least) {
                tightest = server;
                least = free;
            }
        }
        return tightest;
    }

    private void consider(Cluster cluster, int gpus, int firstRack, int lastRack, int from, int to) {
        int free = cluster.freeIn(firstRack, lastRack);
        FreeGpuIndex index = cluster.byFreeGpus();
        int atLeast = (gpus + index.widest() - 1) / index.widest();
        if (free < gpus || atLeast > bestServers || (atLeast == bestServers && free >= bestFree)) {
            return;
        }
        int servers = index.covers(from, to) ? index.fewestServers(gpus) : fewestIn(cluster, gpus, from, to);
        if (servers < bestServers || (servers == bestServers && free < bestFree)) {
            bestFrom = from;
            bestTo = to;
            bestServers = servers;
            bestFree = free;
        }
    }

    private int fewestIn(Cluster cluster, int gpus, int from, int to) {
        Arrays.fill(serversWithFree, 0);
        for (int server = from; server < to; server++) {
            serversWithFree[cluster.freeOn(server)]++;
        }
        return FewestServers.needed(serversWithFree, gpus);
    }

    /** Takes the emptiest servers of the best range until one has room for the rest. */
    private void fill(FreeGpuIndex index, PlacementBuilder builder, int gpus) {
        int emptiest = bestFrom;
        int free = index.widest();
        int left = gpus;
        int rest = tightest(index, builder, left, bestFrom, bestTo);
        while (rest == SimView.NONE) {
            emptiest = index.next(free, emptiest);
            if (emptiest == SimView.NONE || emptiest >= bestTo) {
                free--;
                emptiest = bestFrom;
            } else {
                builder.take(emptiest, free);
                emptiest++;
                left -= free;
                rest = tightest(index, builder, left, bestFrom, bestTo);
            }
        }
        builder.take(rest, left);
    }

    /** The server of a range with the fewest free GPUs that fits so many of a demand for GPUs alone, by the index. */
    private static int tightest(FreeGpuIndex index, PlacementBuilder builder, int gpus, int from, int to) {
        for (int free = gpus; free <= index.widest(); free++) {
            int server = index.next(free, from);
            while (server != SimView.NONE && server < to) {
                if (builder.available(server) > 0) {
                    return server;
                }
                server = index.next(free, server + 1);
            }
        }
        return SimView.NONE;
    }
}
