package org.trainyard.agents.heuristic.placing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.placement.FewestServers;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.placement.RackRanges;
import org.trainyard.env.scheduling.placement.ServerCost;
import org.trainyard.env.simulation.FreeGpuIndex;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Consolidation by cost: places a job on the fewest servers possible now, and of those on the ones with the least cost.
 *
 * <p>One server if one has room; else the fewest inside a rack, else inside a pod, else anywhere. Of racks (or pods)
 * that need equally few servers, the one with the least sum of costs is taken, then the one with the least room, then
 * the first. Inside it, servers are chosen one by one: the cheapest with which the rest still fits on the remaining
 * number of servers, ties to the one with the least room, then the first. O(servers with room x servers used), and as
 * many costs.
 */
public final class ConsolidatingPlacer implements Placer {
    private final ServerCost cost;
    private final @Nullable SetChoice choice;
    private final GangBuilder gang = new GangBuilder();
    private int[] serversWithRoom = new int[0];
    private int[] room = new int[0];
    private int[] chosen = new int[0];
    private int[] best = new int[0];

    public ConsolidatingPlacer(ServerCost cost) {
        this(cost, null);
    }

    /** @param choice which GPUs a job on one server takes; null for those that fit most tightly */
    public ConsolidatingPlacer(ServerCost cost, @Nullable SetChoice choice) {
        this.cost = cost;
        this.choice = choice;
    }

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        return place(view, job, Integer.MAX_VALUE);
    }

    /** A placement on at most so many servers, or null. */
    public @Nullable Placement place(SimView view, JobSpec job, int mostServers) {
        PlacementBuilder builder = gang.ifRoom(view, job);
        if (builder == null) {
            return null;
        }
        int workers = Math.max(1, job.gpus());
        int server = cheapest(view, job, builder, workers);
        if (server != SimView.NONE) {
            builder.take(server, workers, choice == null ? SetChoice.ANY : choice.set(view, job, server, workers, 0));
            return builder.build();
        }
        return job.demand().oneServer() || mostServers < 2 || job.gpus() < 2
                ? null
                : spread(view, job, builder, mostServers);
    }

    private int cheapest(SimView view, JobSpec job, PlacementBuilder builder, int workers) {
        if (job.demand().isPlain()) {
            return cheapestByFreeGpus(view, job, workers);
        }
        return CandidateServers.lowest(
                0,
                view.topology().servers(),
                server -> builder.available(server) >= workers,
                server -> cost.of(view, job, server, builder.available(server), workers, false),
                builder::available);
    }

    /**
     * Finds the cheapest server for a job of whole GPUs of any type; servers are visited by ascending number of free
     * GPUs, from those with just enough, and of equal costs the first wins.
     */
    private int cheapestByFreeGpus(SimView view, JobSpec job, int workers) {
        FreeGpuIndex index = view.cluster().byFreeGpus();
        int cheapest = SimView.NONE;
        double lowest = Double.POSITIVE_INFINITY;
        for (int free = workers; free <= view.topology().widestServer(); free++) {
            for (int server = index.next(free, 0); server != SimView.NONE; server = index.next(free, server + 1)) {
                double here = cost.of(view, job, server, free, workers, false);
                if (cheapest == SimView.NONE || here < lowest) {
                    cheapest = server;
                    lowest = here;
                }
            }
        }
        return cheapest;
    }

    private @Nullable Placement spread(SimView view, JobSpec job, PlacementBuilder builder, int mostServers) {
        Topology topology = view.topology();
        if (room.length < topology.servers()) {
            serversWithRoom = new int[Math.max(1, topology.widestServer()) + 1];
            room = new int[topology.servers()];
            chosen = new int[topology.servers()];
            best = new int[topology.servers()];
        }
        Part part = new Part(mostServers);
        RackRanges.narrowestFirst(
                topology,
                (first, last, from, to) -> {
                    if (mayHold(view, job, first, last, part.fewest)) {
                        for (int server = from; server < to; server++) {
                            room[server] = builder.available(server);
                        }
                        part.consider(view, job, from, to);
                    }
                },
                () -> part.isFound);
        int servers = part.servers();
        int left = job.gpus();
        for (int i = 0; i < servers; i++) {
            int taken = Math.min(left, room[best[i]]);
            builder.take(best[i], taken);
            left -= taken;
        }
        return servers == 0 ? null : builder.build();
    }

    /**
     * Whether racks have free GPUs enough for the job, as far as these are counted: a quick look at parts of the data
     * centre that mostly have not.
     */
    private static boolean mayHold(SimView view, JobSpec job, int firstRack, int lastRack, int mostServers) {
        if (!job.demand().isPlain()) {
            return true;
        }
        if (lastRack - firstRack + 1 == view.topology().racks()) {
            return view.cluster().byFreeGpus().fewestServers(job.gpus()) <= mostServers;
        }
        return view.cluster().freeIn(firstRack, lastRack) >= job.gpus();
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

    /** Chooses so many servers, enough for the job, and returns the sum of their costs. */
    private double choose(SimView view, JobSpec job, int from, int to, int servers) {
        count(from, to);
        int left = job.gpus();
        double sum = 0;
        for (int i = 0; i < servers; i++) {
            int least = Math.max(1, left - most(servers - i - 1));
            int unplaced = left;
            int count = i;
            int cheapest = CandidateServers.lowest(
                    from,
                    to,
                    server -> room[server] >= least && !isChosen(server, count),
                    server -> cost.of(view, job, server, room[server], Math.min(unplaced, room[server]), true),
                    server -> room[server]);
            chosen[i] = cheapest;
            sum += cost.of(view, job, cheapest, room[cheapest], Math.min(left, room[cheapest]), true);
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

    /** Room on so many of the counted servers, those with the most room. */
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
