package org.trainyard.env.scheduling.gang;

import org.trainyard.env.scheduling.fragmentation.FragmentationCost;
import org.trainyard.env.scheduling.gpusets.GpuSets;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.scheduling.placement.SegmentRacks;
import org.trainyard.env.simulation.FreeGpuIndex;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * The search for the cheapest sets of servers of a gang.
 *
 * <p>A gang that fits on one server has every server with room as a candidate, of the equal empty ones of a rack the
 * first; in a data centre of more than {@value #FEW_RACKS} racks, as no policy that ships was trained on, those of so
 * few that half of the sets remain for servers in use. A wider gang takes as many empty servers as it fills, and any
 * server with room for the remainder: in every rack with enough of them, else in every pair of racks. Of empty servers
 * it takes the first ones of each GPU speed. When there is no such set, the one that takes the servers with most free
 * GPUs remains; for a gang in segments, which no rack border may cut, that of the {@link SegmentRacks}.
 *
 * <p>Servers are priced in the order of the GPUs that the gang leaves free there, up to where these alone cost as much
 * as the dearest set kept: O(servers with room) predictions at most, for wide gangs O(racks x those).
 */
final class GangSearch {
    private static final int FEW_RACKS = 8;

    /** Bits of a server in the order of an offer. */
    private static final int SERVER_BITS = 24;

    private final Topology topology;
    private final GpuSpeeds speeds;
    private final EmptyServers empty;
    private final PricedSet set;
    private final CheapestSets kept;
    /** Whether fragmentation counts, which may make a set cheaper than its bound. */
    private final boolean isFragmented;
    /** The empty servers of the racks under consideration, the fastest first. */
    private final int[] whole;

    private final ServerBounds bounds;
    /** By kind of empty server, the pass in which one of them was considered. */
    private final long[] seenInPass;

    /** By hardware, the racks of which an empty server was considered in a pass. */
    private final int[] racksSeen;
    /** By hardware, the pass in which {@link #racksSeen} was counted. */
    private final long[] racksSeenInPass;
    /** The most racks of which equal empty servers are considered in a pass. */
    private final int mostRacks;

    /** The racks that come into question for a gang in two of them. */
    private final int[] chosen;

    private final SpreadServers spread;
    /** The job of the set whose cost is not known, or {@link SimView#NONE}. */
    private int unpriced = SimView.NONE;

    /** Passes over servers; of sets of equal cost the earlier pass goes first, then the lower server. */
    private long pass;

    private Demand demand = Demand.ofGpus(1);
    /** Whether the room on a server is its free GPUs. */
    private boolean isPlain = true;
    /** Whether the room on a server is at most its free GPUs. */
    private boolean isBounded = true;

    private final SetChoice choice;

    /** @param most sets that are kept */
    GangSearch(
            Topology topology,
            InterferenceCost costs,
            FragmentationCost fragmentation,
            CheapestSets kept,
            int most,
            SetChoice choice) {
        this.choice = choice;
        this.topology = topology;
        this.kept = kept;
        speeds = new GpuSpeeds(topology);
        empty = new EmptyServers(topology);
        set = new PricedSet(topology, costs, fragmentation);
        bounds = new ServerBounds(topology, costs, choice);
        isFragmented = fragmentation.counts();
        whole = new int[topology.servers()];
        seenInPass = new long[empty.kinds()];
        racksSeen = new int[empty.hardwares()];
        racksSeenInPass = new long[empty.hardwares()];
        mostRacks = topology.racks() <= FEW_RACKS ? topology.racks() : Math.max(1, most / 2 / empty.hardwares());
        chosen = new int[topology.racks()];
        spread = new SpreadServers(topology);
    }

    /** Keeps the cheapest sets for a waiting job. */
    void find(SimView view, int job) {
        demand = view.job(job).demand();
        set.begin(view.job(job));
        isPlain = demand.isPlain();
        isBounded = demand.gpus() > 0
                && (demand.gpuMilli() == Demand.WHOLE || !view.cluster().isShared());
        int workers = Math.max(1, demand.gpus());
        unpriced = SimView.NONE;
        if (workers <= Math.max(1, topology.widestServer())) {
            offerAlone(view, job, workers);
        } else if (!demand.oneServer()) {
            empty.update(view);
            int needed = workers / topology.widestServer();
            if (empty.mostInRack() >= needed) {
                findRacks(view, job, workers);
            }
            if (kept.size() == 0 && 2 * empty.mostInRack() >= needed && demand.segment() == 0) {
                findPairs(view, job, workers);
            }
        }
        if (kept.size() == 0 && !demand.oneServer() && workers > 1) {
            findSpread(view, job, workers);
        }
    }

    private int room(SimView view, int server) {
        return isPlain ? view.cluster().freeOn(server) : view.cluster().room(demand, server);
    }

    private void findRacks(SimView view, int job, int workers) {
        int needed = workers / topology.widestServer();
        for (int rack = 0; rack < topology.racks() && !isSettled(); rack++) {
            if (empty.in(rack) >= needed) {
                findIn(view, job, workers, addEmpty(view, rack, 0), rack, rack);
            }
        }
    }

    private void findPairs(SimView view, int job, int workers) {
        int needed = workers / topology.widestServer();
        int racks = chooseRacks(needed);
        for (int i = 0; i < racks; i++) {
            int first = chosen[i];
            for (int j = i + 1; j < racks && !isSettled(); j++) {
                int second = chosen[j];
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

    /** Chooses the racks that may be one of two with so many empty servers together; returns their number. */
    private int chooseRacks(int needed) {
        int racks = 0;
        for (int rack = 0; rack < chosen.length; rack++) {
            if (empty.in(rack) + empty.mostInRack() >= needed) {
                chosen[racks++] = rack;
            }
        }
        return racks;
    }

    /** Whether no set that is offered from now on would be kept. */
    private boolean isSettled() {
        return !isFragmented && kept.isTooDear(0, order(pass + 1, 0));
    }

    private static long order(long pass, int server) {
        return pass << SERVER_BITS | server;
    }

    /** Adds to {@link #whole} the empty servers of a rack with room for a worker on each GPU; returns their number. */
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
                set.offerTo(kept, order(++pass, 0));
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
        if (!isPlain || view.cluster().freeIn(rack) >= workers) {
            int first = topology.firstServer(rack);
            offerEach(view, job, first, first + topology.serversIn(rack), workers);
        }
    }

    /**
     * Offers each server that has room for all workers; those first that were cheapest for the last such gang, after
     * which few others can be among the cheapest.
     */
    private void offerAlone(SimView view, int job, int workers) {
        if (!isPlain || isFragmented) {
            offerEach(view, job, 0, topology.servers(), workers);
            return;
        }
        pass++;
        ServerBounds.Kind known = bounds.of(view, job, workers);
        for (int i = 0; i < known.remembered(); i++) {
            int server = known.remembered(i);
            // Of equal empty servers the first is offered, which may be another one now.
            if (view.cluster().jobsOn(server) > 0) {
                offerWith(view, job, server, workers);
            }
        }
        double perStay = 1 / ResidualTimeFloor.seconds(view, job);
        FreeGpuIndex index = view.cluster().byFreeGpus();
        for (int free = workers; free <= topology.widestServer(); free++) {
            double leastHere = set.leastWith(free - workers);
            int server = index.next(free, 0);
            while (server != SimView.NONE && !kept.isTooDear(leastHere, order(pass, server))) {
                if (!kept.isTooDear(known.of(view, job, server, perStay), order(pass, server))) {
                    offerWith(view, job, server, workers);
                    if (!kept.has(order(pass, server))) {
                        known.refine(view, job, server);
                    }
                }
                server = index.next(free, server + 1);
            }
        }
        known.remember(kept);
    }

    /** Offers each server of a range that has room for the workers, together with the servers of the set so far. */
    private void offerEach(SimView view, int job, int from, int to, int workers) {
        pass++;
        if (!isBounded) {
            for (int server = from; server < to; server++) {
                offerWith(view, job, server, workers);
            }
            return;
        }
        FreeGpuIndex index = view.cluster().byFreeGpus();
        for (int free = workers; free <= topology.widestServer(); free++) {
            double least = isFragmented ? Double.NEGATIVE_INFINITY : set.leastWith(isPlain ? free - workers : 0);
            int server = index.next(free, from);
            while (server != SimView.NONE && server < to && !kept.isTooDear(least, order(pass, server))) {
                offerWith(view, job, server, workers);
                server = index.next(free, server + 1);
            }
        }
    }

    private void offerWith(SimView view, int job, int server, int workers) {
        int room = room(view, server);
        if (room >= workers && !set.contains(server) && !isRepeated(view, server)) {
            if (choice.counts() && set.size() == 0) {
                offerChosen(view, job, server, room, workers);
            } else {
                set.offerWith(view, job, server, room, workers, kept, order(pass, server));
            }
        }
    }

    /** Offers the server with each set of GPUs that the rule would take there. */
    private void offerChosen(SimView view, int job, int server, int room, int workers) {
        long before = SetChoice.ANY;
        long free = GpuSets.free(view, server);
        for (int i = 0; i < choice.most(); i++) {
            long mask = choice.set(view, view.job(job), server, workers, i, free);
            if (i == 0 || mask != before) {
                double ring = choice.slowdown(view, view.job(job), server, mask, workers);
                set.choose(mask, ring, choice.cost(view.job(job), server, mask, workers, free, ring));
                set.offerWith(view, job, server, room, workers, kept, order(pass, server));
                before = mask;
            }
        }
        set.choose(SetChoice.ANY, 1, 0);
    }

    /** Whether an equal empty server of the rack was considered in this pass, or enough of other racks. */
    private boolean isRepeated(SimView view, int server) {
        if (view.cluster().jobsOn(server) > 0 || !empty.isEmpty(view, server)) {
            return false;
        }
        boolean isSeen = seenInPass[empty.kindOf(server)] == pass;
        seenInPass[empty.kindOf(server)] = pass;
        int hardware = empty.hardwareOf(server);
        racksSeen[hardware] = racksSeenInPass[hardware] == pass ? racksSeen[hardware] : 0;
        racksSeenInPass[hardware] = pass;
        return isSeen || ++racksSeen[hardware] > mostRacks;
    }

    /**
     * Offers the {@link SpreadServers}, of which the cost is found when it is asked for: most that wait for better sets
     * never ask.
     */
    private void findSpread(SimView view, int job, int workers) {
        int count = spread.choose(view, demand, workers);
        if (count > 0) {
            kept.offer(spread.servers(), spread.taken(), count, 0, order(++pass, 0), 1, 0);
            unpriced = job;
        }
    }

    /** Finds the unknown cost of the only set; called before any event after the search. */
    void price(SimView view) {
        int job = unpriced;
        unpriced = SimView.NONE;
        if (job == SimView.NONE) {
            return;
        }
        set.clear();
        for (int i = 0; i < kept.width(0); i++) {
            set.add(view, job, kept.server(0, i), room(view, kept.server(0, i)), kept.taken(0, i), true);
        }
        kept.clear();
        set.offerTo(kept, order(pass, 0));
    }
}
