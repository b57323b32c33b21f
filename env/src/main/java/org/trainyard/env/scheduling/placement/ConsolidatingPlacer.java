package org.trainyard.env.scheduling.placement;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Places a job on as few servers as can be now, and of those on the ones that cost least.
 *
 * <p>One server if one has room; else the fewest inside a rack, else inside a pod, else anywhere. Among racks (or pods) that need equally
 * few, the one with the least sum of costs is taken, then the one with the least room, then the first. Inside, servers are chosen one by
 * one: the cheapest with which the rest still fits on the servers that are left, ties to the one with least room, then the first. O(servers
 * x servers used), and as many costs.
 */
public final class ConsolidatingPlacer implements Placer {
    private static final int MOST_GPUS_ON_A_SERVER = 64;

    private final ServerCost cost;
    private final GangBuilder gang = new GangBuilder();
    private final int[] serversWithRoom = new int[MOST_GPUS_ON_A_SERVER + 1];
    private int[] room = new int[0];
    private int[] chosen = new int[0];
    private int[] best = new int[0];

    public ConsolidatingPlacer(ServerCost cost) {
        this.cost = cost;
    }

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        return place(view, job, Integer.MAX_VALUE);
    }

    /** The same on at most so many servers, or null. */
    public @Nullable Placement place(SimView view, JobSpec job, int mostServers) {
        PlacementBuilder builder = gang.ifRoom(view, job);
        if (builder == null) {
            return null;
        }
        int workers = Math.max(1, job.gpus());
        int server = cheapest(view, job, builder, workers);
        if (server != SimView.NONE) {
            builder.take(server, workers);
            return builder.build();
        }
        return job.demand().oneServer() || mostServers < 2 || job.gpus() < 2
                ? null
                : spread(view, job, builder, mostServers);
    }

    private int cheapest(SimView view, JobSpec job, PlacementBuilder builder, int workers) {
        int cheapest = SimView.NONE;
        double least = 0;
        int leastRoom = 0;
        for (int server = 0; server < view.topology().servers(); server++) {
            int available = builder.available(server);
            if (available >= workers) {
                double price = cost.of(view, job, server, available, workers, false);
                if (cheapest == SimView.NONE || price < least || (price == least && available < leastRoom)) {
                    cheapest = server;
                    least = price;
                    leastRoom = available;
                }
            }
        }
        return cheapest;
    }

    private @Nullable Placement spread(SimView view, JobSpec job, PlacementBuilder builder, int mostServers) {
        Topology topology = view.topology();
        if (room.length < topology.servers()) {
            room = new int[topology.servers()];
            chosen = new int[topology.servers()];
            best = new int[topology.servers()];
        }
        for (int server = 0; server < topology.servers(); server++) {
            room[server] = builder.available(server);
        }
        int servers = bestRack(view, job, mostServers);
        if (servers == 0) {
            servers = bestPod(view, job, mostServers);
        }
        if (servers == 0) {
            Part everything = new Part(mostServers);
            everything.consider(view, job, 0, topology.servers());
            servers = everything.servers();
        }
        int left = job.gpus();
        for (int i = 0; i < servers; i++) {
            int taken = Math.min(left, room[best[i]]);
            builder.take(best[i], taken);
            left -= taken;
        }
        return servers == 0 ? null : builder.build();
    }

    private int bestRack(SimView view, JobSpec job, int mostServers) {
        Part part = new Part(mostServers);
        for (int rack = 0; rack < view.topology().racks(); rack++) {
            int first = view.topology().firstServer(rack);
            if (view.cluster().isShared() || view.cluster().freeIn(rack) >= job.gpus()) {
                part.consider(view, job, first, first + view.topology().serversIn(rack));
            }
        }
        return part.servers();
    }

    private int bestPod(SimView view, JobSpec job, int mostServers) {
        Topology topology = view.topology();
        Part part = new Part(mostServers);
        int rack = 0;
        while (rack < topology.racks()) {
            int first = rack;
            while (rack < topology.racks() && topology.podOf(rack) == topology.podOf(first)) {
                rack++;
            }
            part.consider(
                    view,
                    job,
                    topology.firstServer(first),
                    topology.firstServer(rack - 1) + topology.serversIn(rack - 1));
        }
        return part.servers();
    }

    /** The best part of the data centre so far; its servers are in {@code best}. */
    private final class Part {
        private int fewest;
        private boolean isFound;
        private double price;
        private int size;

        Part(int mostServers) {
            fewest = mostServers;
        }

        int servers() {
            return isFound ? fewest : 0;
        }

        void consider(SimView view, JobSpec job, int from, int to) {
            int needed = needed(job, from, to);
            if (needed == Integer.MAX_VALUE || needed > fewest) {
                return;
            }
            double sum = choose(view, job, from, to, needed);
            int roomHere = Arrays.stream(room, from, to).sum();
            if (!isFound || needed < fewest || sum < price || (sum == price && roomHere < size)) {
                isFound = true;
                fewest = needed;
                price = sum;
                size = roomHere;
                System.arraycopy(chosen, 0, best, 0, needed);
            }
        }
    }

    private int needed(JobSpec job, int from, int to) {
        count(from, to);
        return FewestServers.needed(serversWithRoom, job.gpus());
    }

    private void count(int from, int to) {
        Arrays.fill(serversWithRoom, 0);
        for (int server = from; server < to; server++) {
            serversWithRoom[room[server]]++;
        }
    }

    /** Puts so many servers, enough for the job, into {@code chosen}, and returns the sum of their costs. */
    private double choose(SimView view, JobSpec job, int from, int to, int servers) {
        count(from, to);
        int left = job.gpus();
        double sum = 0;
        for (int i = 0; i < servers; i++) {
            int least = Math.max(1, left - most(servers - i - 1));
            int cheapest = SimView.NONE;
            double leastPrice = 0;
            for (int server = from; server < to; server++) {
                if (room[server] >= least && !isChosen(server, i)) {
                    double price = cost.of(view, job, server, room[server], Math.min(left, room[server]), true);
                    if (cheapest == SimView.NONE
                            || price < leastPrice
                            || (price == leastPrice && room[server] < room[cheapest])) {
                        cheapest = server;
                        leastPrice = price;
                    }
                }
            }
            chosen[i] = cheapest;
            sum += leastPrice;
            left -= Math.min(left, room[cheapest]);
            serversWithRoom[room[cheapest]]--;
        }
        return sum;
    }

    private boolean isChosen(int server, int count) {
        for (int i = 0; i < count; i++) {
            if (chosen[i] == server) {
                return true;
            }
        }
        return false;
    }

    /** Room on the so many roomiest servers that are counted. */
    private int most(int servers) {
        int sum = 0;
        int left = servers;
        for (int size = serversWithRoom.length - 1; size > 0 && left > 0; size--) {
            int used = Math.min(left, serversWithRoom[size]);
            sum += used * size;
            left -= used;
        }
        return sum;
    }
}
