package org.trainyard.env.scheduling.gang;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import org.trainyard.env.scheduling.placement.SegmentRacks;
import org.trainyard.env.simulation.FreeGpuIndex;
import org.trainyard.env.simulation.ServerChanges;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * The servers with most room for a gang, and of those with room for the remainder the tightest, in any racks. For gangs
 * of whole GPUs and nothing else they are kept until a server changes; others take O(servers) for each server of the
 * gang. Of gangs in segments each rack holds whole ones.
 */
final class SpreadServers {
    private final Topology topology;
    private final Int2ObjectOpenHashMap<Chosen> kept = new Int2ObjectOpenHashMap<>();
    private final Chosen other;
    private final boolean[] isUsed;
    private Chosen chosen;
    private Demand demand = Demand.ofGpus(1);
    private boolean isPlain = true;

    private static final class Chosen {
        private final int[] servers;
        private final int[] taken;
        /** 0 when there is not enough room. */
        private int count;

        private final ServerChanges.Cursor changes = new ServerChanges.Cursor();

        private Chosen(int most) {
            servers = new int[most];
            taken = new int[most];
        }
    }

    SpreadServers(Topology topology) {
        this.topology = topology;
        other = new Chosen(topology.servers());
        chosen = other;
        isUsed = new boolean[topology.servers()];
    }

    /** Chooses the servers for so many workers; returns their number, 0 when there is not enough room. */
    int choose(SimView view, Demand newDemand, int workers) {
        demand = newDemand;
        isPlain = newDemand.isPlain();
        chosen = isPlain ? kept(workers) : other;
        boolean isAnew = chosen.changes.advance(view.cluster());
        if (!isPlain || isAnew || chosen.changes.first() < chosen.changes.end()) {
            if (demand.segment() > 0) {
                fillSegments(view, workers);
            } else {
                fill(view, workers);
            }
        }
        return chosen.count;
    }

    /** Whole segments of one rack after the other. */
    private void fillSegments(SimView view, int workers) {
        int[] servers = SegmentRacks.servers(view, demand);
        int left = workers;
        chosen.count = 0;
        for (int from = 0; from < servers.length && left > 0; ) {
            int rack = topology.rackOf(servers[from]);
            int to = from;
            int room = 0;
            while (to < servers.length && topology.rackOf(servers[to]) == rack) {
                room += room(view, servers[to++]);
            }
            int here = Math.min(left, room / demand.segment() * demand.segment());
            left -= here;
            for (int i = from; here > 0; i++) {
                chosen.servers[chosen.count] = servers[i];
                chosen.taken[chosen.count] = Math.min(here, room(view, servers[i]));
                here -= chosen.taken[chosen.count++];
            }
            from = to;
        }
        chosen.count = left == 0 ? chosen.count : 0;
    }

    private Chosen kept(int workers) {
        Chosen known = kept.get(workers);
        if (known == null) {
            known = new Chosen(Math.min(workers, topology.servers()));
            kept.put(workers, known);
        }
        return known;
    }

    /** The servers chosen last; valid until the next choice. */
    int[] servers() {
        return chosen.servers;
    }

    /** The workers on each. */
    int[] taken() {
        return chosen.taken;
    }

    private void fill(SimView view, int workers) {
        int count = 0;
        int left = workers;
        while (left > 0) {
            int best = isPlain ? bestByFreeGpus(view, left) : bestOfAll(view, left);
            if (best == SimView.NONE) {
                break;
            }
            isUsed[best] = true;
            chosen.servers[count] = best;
            chosen.taken[count] = Math.min(left, room(view, best));
            left -= chosen.taken[count++];
        }
        for (int i = 0; i < count; i++) {
            isUsed[chosen.servers[i]] = false;
        }
        chosen.count = left == 0 ? count : 0;
    }

    private int room(SimView view, int server) {
        return isPlain ? view.cluster().freeOn(server) : view.cluster().room(demand, server);
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
