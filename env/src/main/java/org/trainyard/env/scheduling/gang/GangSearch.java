package org.trainyard.env.scheduling.gang;

import org.trainyard.env.scheduling.fragmentation.FragmentationCost;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.simulation.FreeGpuIndex;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * The search for the cheapest sets of servers of a gang.
 *
 * <p>A gang that fits on one server has every server with room as a candidate, of the equal empty ones of a rack the first. A wider gang
 * takes as many empty servers as it fills, and any server with room for the remainder: in every rack with enough of them, else in every pair
 * of racks. Of empty servers it takes the first ones of each GPU speed. When there is no such set, the one that takes the servers with most
 * free GPUs remains.
 *
 * <p>Servers are priced in the order of the GPUs that the gang leaves free there, up to where these alone cost as much as the dearest set kept: O(servers with
 * room) predictions at most, for wide gangs O(racks x those).
 */
final class GangSearch {
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
    /** By kind of empty server, the pass in which one of them was considered. */
    private final long[] seenInPass;

    /** The racks that come into question for a gang in two of them. */
    private final int[] chosen;

    private final boolean[] isUsed;
    /** Counts passes over servers; among sets of equal cost those of an earlier pass go first, and in one pass those with the lower server. */
    private long pass;

    private Demand demand = Demand.ofGpus(1);
    /** Whether the room on a server is its free GPUs, and whether it is at most these. */
    private boolean isPlain = true;

    private boolean isBounded = true;

    GangSearch(Topology topology, InterferenceCost costs, FragmentationCost fragmentation, CheapestSets kept) {
        this.topology = topology;
        this.kept = kept;
        speeds = new GpuSpeeds(topology);
        empty = new EmptyServers(topology);
        set = new PricedSet(topology, costs, fragmentation);
        isFragmented = fragmentation.counts();
        whole = new int[topology.servers()];
        seenInPass = new long[empty.kinds()];
        chosen = new int[topology.racks()];
        isUsed = new boolean[topology.servers()];
    }

    /** Keeps the cheapest sets for a waiting job. */
    void find(SimView view, int job) {
        demand = view.job(job).demand();
        set.begin(view.job(job));
        isPlain = demand.isPlain();
        isBounded = demand.gpus() > 0
                && (demand.gpuMilli() == Demand.WHOLE || !view.cluster().isShared());
        int workers = Math.max(1, demand.gpus());
        if (workers <= Math.max(1, topology.widestServer())) {
            offerEach(view, job, 0, topology.servers(), workers);
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
        int mostEmpty = 0;
        for (int rack = 0; rack < chosen.length; rack++) {
            mostEmpty = Math.max(mostEmpty, empty.in(rack));
        }
        int racks = 0;
        for (int rack = 0; rack < chosen.length; rack++) {
            if (empty.in(rack) + mostEmpty >= needed) {
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

    /** The same with each server of a range. */
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
            set.offerWith(view, job, server, room, workers, kept, order(pass, server));
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
            int best = isPlain ? bestByFreeGpus(view, left) : bestOfAll(view, left);
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
            set.offerTo(kept, order(++pass, 0));
        }
    }

    /** The server with room for so many workers and least of it, else that with most room; the first of equals. */
    private int bestOfAll(SimView view, int workers) {
        int best = SimView.NONE;
        for (int server = 0; server < topology.servers(); server++) {
            int room = room(view, server);
            if (room > 0 && !isUsed[server] && (best < 0 || isBetter(room, room(view, best), workers))) {
                best = server;
            }
        }
        return best;
    }

    private int bestByFreeGpus(SimView view, int workers) {
        int widest = topology.widestServer();
        for (int free = Math.min(workers, widest + 1); free <= widest; free++) {
            int server = firstUnused(view, free);
            if (server != SimView.NONE) {
                return server;
            }
        }
        for (int free = Math.min(workers - 1, widest); free > 0; free--) {
            int server = firstUnused(view, free);
            if (server != SimView.NONE) {
                return server;
            }
        }
        return SimView.NONE;
    }

    private int firstUnused(SimView view, int free) {
        FreeGpuIndex index = view.cluster().byFreeGpus();
        int server = index.next(free, 0);
        while (server != SimView.NONE && isUsed[server]) {
            server = index.next(free, server + 1);
        }
        return server;
    }

    private static boolean isBetter(int room, int than, int left) {
        return room >= left ? than < left || room < than : than < left && room > than;
    }
}
