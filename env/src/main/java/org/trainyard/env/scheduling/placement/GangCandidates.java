package org.trainyard.env.scheduling.placement;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.fragmentation.FragmentationCost;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.ModelProfile;

/**
 * The sets of servers on which a whole gang could start now, cheapest by belief first.
 *
 * <p>A gang that fits on one server has every server with room as a candidate, of the equal empty ones of a rack the first. A wider gang
 * takes as many empty servers as it fills, and any server with room for the remainder: in every rack with enough of them, else in every pair
 * of racks. Of empty servers it takes the first ones of each GPU speed. When there is no such set, the one that takes the servers with most
 * free GPUs remains.
 *
 * <p>A job for a part of one GPU has the {@link SharedGpus} as candidates.
 *
 * <p>The cost of a set is the predicted slowdown of the gang on its slowest server, GPU speed included, beyond that on the fastest GPUs of
 * the cluster, plus the harm to neighbours ({@link InterferenceCost}), plus a little for GPUs left over, plus the
 * {@link FragmentationCost}. O(servers) predictions, for wide
 * gangs O(racks x servers); the racks' empty servers are counted once per event.
 */
public final class GangCandidates {
    private final Topology topology;
    private final FewestServers fewest;
    private final GpuSpeeds speeds;
    private final EmptyServers empty;
    private final CheapestSets kept;
    private final int mostGpusInRack;
    private Demand demand = Demand.ofGpus(1);
    private boolean isPlain = true;
    private @Nullable ModelProfile model;
    private final PricedSet set;
    private final SharedGpus parts;
    private final FragmentationCost fragmentation;
    /** The empty servers of the racks under consideration, the fastest first. */
    private final int[] whole;
    /** By kind of empty server, the pass in which one of them was considered. */
    private final int[] seenInPass;

    private int pass;
    private final boolean[] isUsed;

    /**
     * @param most sets kept for a gang
     * @param belief the interference model of the scheduler, not that of the simulator
     */
    public GangCandidates(Topology topology, InterferenceModel belief, int most) {
        this.topology = topology;
        InterferenceCost costs = new InterferenceCost(topology, belief, ResidualTimeFloor::seconds);
        fragmentation = new FragmentationCost(topology);
        set = new PricedSet(topology, costs, fragmentation);
        parts = new SharedGpus(topology, costs, fragmentation);
        fewest = new FewestServers(topology);
        speeds = new GpuSpeeds(topology);
        empty = new EmptyServers(topology);
        kept = new CheapestSets(most, topology.servers());
        whole = new int[topology.servers()];
        seenInPass = new int[empty.kinds()];
        isUsed = new boolean[topology.servers()];
        int widest = 0;
        for (int rack = 0; rack < topology.racks(); rack++) {
            int gpus = 0;
            for (int i = 0; i < topology.serversIn(rack); i++) {
                gpus += topology.gpusOn(topology.firstServer(rack) + i);
            }
            widest = Math.max(widest, gpus);
        }
        mostGpusInRack = widest;
    }

    /** Finds the sets for a waiting job; returns their number, 0 when it cannot start. */
    public int find(SimView view, int job) {
        kept.clear();
        demand = view.job(job).demand();
        model = view.job(job).model();
        isPlain = demand.isPlain();
        if (view.cluster().mostWorkers(demand) < demand.gpus() || !view.isWithinQuota(job, demand.gpus())) {
            return 0;
        }
        if (InterferenceCost.isPartOfOneGpu(view, demand)) {
            parts.find(view, job, demand, kept);
            return kept.size();
        }
        int workers = Math.max(1, demand.gpus());
        if (workers <= Math.max(1, topology.widestServer())) {
            findServers(view, job, workers);
        } else if (!demand.oneServer()) {
            empty.update(view);
            findRacks(view, job, workers);
            if (kept.size() == 0) {
                findPairs(view, job, workers);
            }
        }
        if (kept.size() == 0 && !demand.oneServer() && workers > 1) {
            findSpread(view, job, workers);
        }
        return kept.size();
    }

    private int room(SimView view, int server) {
        return isPlain ? view.cluster().freeOn(server) : view.cluster().room(demand, server);
    }

    private void findServers(SimView view, int job, int workers) {
        set.clear();
        for (int rack = 0; rack < topology.racks(); rack++) {
            offerEach(view, job, rack, workers);
        }
    }

    private void findRacks(SimView view, int job, int workers) {
        int needed = workers / topology.widestServer();
        for (int rack = 0; rack < topology.racks(); rack++) {
            if (empty.in(rack) >= needed) {
                findIn(view, job, workers, addEmpty(view, rack, 0), rack, rack);
            }
        }
    }

    private void findPairs(SimView view, int job, int workers) {
        int needed = workers / topology.widestServer();
        for (int first = 0; first < topology.racks(); first++) {
            for (int second = first + 1; second < topology.racks(); second++) {
                int count = empty.in(first) + empty.in(second);
                if (count >= needed) {
                    findIn(view, job, workers, addEmpty(view, second, addEmpty(view, first, 0)), first, second);
                }
                if (count > needed && empty.in(first) > 0 && empty.in(second) > 0) {
                    findIn(view, job, workers, addEmpty(view, first, addEmpty(view, second, 0)), second, first);
                }
            }
        }
    }

    /** Adds the rack's empty servers with room for as many workers as GPUs to the {@link #whole} ones; returns their number. */
    private int addEmpty(SimView view, int rack, int from) {
        int count = from;
        for (int i = 0; i < empty.in(rack); i++) {
            int server = empty.server(rack, i);
            if (room(view, server) >= topology.widestServer()) {
                empty.insert(whole, 0, count++, server);
            }
        }
        return count;
    }

    /** The sets of whole empty servers and a server of one of two racks for the remainder. */
    private void findIn(SimView view, int job, int workers, int count, int firstRack, int secondRack) {
        int needed = workers / topology.widestServer();
        int rest = workers % topology.widestServer();
        for (int from = 0; from <= count - needed; from++) {
            if (!isWindow(from, count, needed)) {
                continue;
            }
            set.clear();
            for (int i = from; i < from + needed; i++) {
                set.add(view, job, whole[i], room(view, whole[i]), topology.widestServer(), true);
            }
            if (rest == 0) {
                set.offerTo(kept);
                continue;
            }
            offerEach(view, job, firstRack, rest);
            if (secondRack != firstRack) {
                offerEach(view, job, secondRack, rest);
            }
        }
    }

    /** Whether the {@link #whole} servers from here on are the first of their speed, or the slowest that there are. */
    private boolean isWindow(int from, int count, int needed) {
        boolean isFirstOfSpeed = from == 0 || speeds.of(whole[from]) != speeds.of(whole[from - 1]);
        boolean isSlowest = from == count - needed && speeds.of(whole[0]) != speeds.of(whole[count - 1]);
        return isFirstOfSpeed || isSlowest;
    }

    /** Offers the set together with each server of the rack that has room for so many more workers. */
    private void offerEach(SimView view, int job, int rack, int workers) {
        if (isPlain && view.cluster().freeIn(rack) < workers) {
            return;
        }
        pass++;
        int first = topology.firstServer(rack);
        for (int server = first; server < first + topology.serversIn(rack); server++) {
            int room = room(view, server);
            if (room >= workers && !set.contains(server) && !isRepeated(view, server)) {
                set.offerWith(view, job, server, room, workers, kept);
            }
        }
    }

    /** Whether an equal empty server was considered in this pass. */
    private boolean isRepeated(SimView view, int server) {
        if (view.cluster().jobsOn(server) > 0 || !empty.isEmpty(view, server)) {
            return false;
        }
        boolean isSeen = seenInPass[empty.kindOf(server)] == pass;
        seenInPass[empty.kindOf(server)] = pass;
        return isSeen;
    }

    /** The set that takes the servers with most room, and of those with room for the remainder the tightest. */
    private void findSpread(SimView view, int job, int workers) {
        set.clear();
        int left = workers;
        while (left > 0) {
            int best = SimView.NONE;
            for (int server = 0; server < topology.servers(); server++) {
                int room = room(view, server);
                if (room > 0 && !isUsed[server] && (best < 0 || isBetter(room, room(view, best), left))) {
                    best = server;
                }
            }
            if (best == SimView.NONE) {
                break;
            }
            isUsed[best] = true;
            int takesHere = Math.min(left, room(view, best));
            set.add(view, job, best, room(view, best), takesHere, true);
            left -= takesHere;
        }
        for (int i = 0; i < set.size(); i++) {
            isUsed[set.server(i)] = false;
        }
        if (left == 0) {
            set.offerTo(kept);
        }
    }

    private static boolean isBetter(int room, int than, int left) {
        return room >= left ? than < left || room < than : than < left && room > than;
    }

    /** Whether a set has as few servers as the gang can have on an empty cluster and, where a rack has so many GPUs, one rack. */
    public boolean isConsolidated(SimView view, int job, int candidate) {
        return isOnFewest(view, job, candidate) && (view.job(job).gpus() > mostGpusInRack || racks(candidate) == 1);
    }

    /** Whether a set has as few servers as the gang can have on an empty cluster, in any racks. */
    public boolean isOnFewest(SimView view, int job, int candidate) {
        return kept.width(candidate) <= fewest.of(view.job(job).demand());
    }

    /** Number of servers of a set. */
    public int servers(int candidate) {
        return kept.width(candidate);
    }

    public int server(int candidate, int i) {
        return kept.server(candidate, i);
    }

    /** GPUs that the set takes on its i-th server. */
    public int gpusOn(int candidate, int i) {
        return kept.taken(candidate, i);
    }

    /** Number of free GPUs that the set takes: for a part of a GPU that others hold, none. */
    public int freeGpusTaken(SimView view, int candidate) {
        if (kept.gpu(candidate) != CheapestSets.ANY) {
            return view.cluster().owner(kept.gpu(candidate)) == Cluster.FREE ? 1 : 0;
        }
        int taken = 0;
        for (int i = 0; i < kept.width(candidate); i++) {
            taken += kept.taken(candidate, i);
        }
        return taken;
    }

    /** The GPU of a set that is one GPU, free or held in part; {@link SimView#NONE} for sets of any GPUs of their servers. */
    public int gpu(int candidate) {
        return kept.gpu(candidate) == CheapestSets.ANY ? SimView.NONE : kept.gpu(candidate);
    }

    /** The part of the cost of a set that is its {@link FragmentationCost}. */
    public double fragmentation(SimView view, int candidate) {
        if (gpu(candidate) != SimView.NONE) {
            return fragmentation.onGpu(view, demand, gpu(candidate));
        }
        double cost = 0;
        for (int i = 0; i < kept.width(candidate); i++) {
            cost += fragmentation.onServer(view, demand, kept.server(candidate, i), kept.taken(candidate, i));
        }
        return cost;
    }

    /** Whether a set is the GPU on which the running job is now. */
    public boolean isOnGpuOf(SimView view, int job, int candidate) {
        return kept.gpu(candidate) == view.placement(job).gpu(0);
    }

    /** Number of racks of a set. */
    public int racks(int candidate) {
        int count = 0;
        for (int i = 0; i < kept.width(candidate); i++) {
            boolean isNew = true;
            for (int j = 0; j < i; j++) {
                isNew &= topology.rackOf(kept.server(candidate, j)) != topology.rackOf(kept.server(candidate, i));
            }
            count += isNew ? 1 : 0;
        }
        return count;
    }

    /** Cost of a set, 0 for no interference on the fastest GPUs. */
    public double cost(int candidate) {
        return kept.cost(candidate);
    }

    /** Predicted slowdown of the gang on its slowest server against the fastest GPUs of the cluster, at least 1. */
    public double own(int candidate) {
        return kept.own(candidate);
    }

    /** Predicted extra slowdown of all neighbours, weighted by the time that they stay. */
    public double harm(int candidate) {
        return kept.harm(candidate);
    }

    /** Relative speed of the slowest GPUs of a set for the job, 1 for the fastest of the cluster. */
    public double speedOf(int candidate) {
        double least = 1;
        for (int i = 0; i < kept.width(candidate); i++) {
            least = Math.min(least, speeds.of(kept.server(candidate, i), Objects.requireNonNull(model)));
        }
        return least;
    }

    /**
     * The set as a placement.
     *
     * @param builder an empty builder of the same cluster; it is left empty
     */
    public Placement placement(int candidate, PlacementBuilder builder) {
        if (kept.gpu(candidate) != CheapestSets.ANY) {
            return Placement.of(topology, kept.gpu(candidate));
        }
        builder.begin(demand);
        for (int i = 0; i < kept.width(candidate); i++) {
            builder.take(kept.server(candidate, i), kept.taken(candidate, i));
        }
        Placement placement = builder.build();
        builder.clear();
        return placement;
    }
}
