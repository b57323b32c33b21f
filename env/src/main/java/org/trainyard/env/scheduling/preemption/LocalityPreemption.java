package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Locality;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * Finds whom to push out so that a job finds enough whole GPUs in one server, else in one rack, else anywhere.
 *
 * <p>Of the servers (or racks) that would have room the one with most free GPUs is cleared, the first of equals. Victims go in the order
 * given, no more of them than are needed; whoever turns out not to be needed is spared. O(servers + candidates x servers of each).
 */
public final class LocalityPreemption {
    private final IntArrayList victims = new IntArrayList();
    private int[] gainOn = new int[0];
    private int[] gainIn = new int[0];

    /**
     * The victims, first the one to go first; empty when there is no way. The list is used again by the next call.
     *
     * @param gpus how many whole GPUs the newcomer needs, more than are free where it would take them
     * @param widest how far it may be spread
     * @param candidates who may be pushed out, in the order in which they go
     */
    public IntArrayList find(SimView view, int gpus, Locality widest, IntArrayList candidates) {
        victims.clear();
        Topology topology = view.topology();
        Cluster cluster = view.cluster();
        int gain = countGains(view, candidates);
        if (cluster.free() + gain < gpus) {
            return victims;
        }
        int server = roomiestServer(view, gpus);
        if (server != SimView.NONE) {
            clear(view, gpus - cluster.freeOn(server), server, server + 1, candidates);
            return victims;
        }
        int rack = widest.compareTo(Locality.RACK) >= 0 ? roomiestRack(view, gpus) : SimView.NONE;
        if (rack != SimView.NONE) {
            int from = topology.firstServer(rack);
            clear(view, gpus - cluster.freeIn(rack), from, from + topology.serversIn(rack), candidates);
        } else if (widest == Locality.CLUSTER) {
            clear(view, gpus - cluster.free(), 0, topology.servers(), candidates);
        }
        return victims;
    }

    private int countGains(SimView view, IntArrayList candidates) {
        Topology topology = view.topology();
        if (gainOn.length < topology.servers()) {
            gainOn = new int[topology.servers()];
            gainIn = new int[topology.racks()];
        }
        Arrays.fill(gainOn, 0);
        Arrays.fill(gainIn, 0);
        int gain = 0;
        for (int c = 0; c < candidates.size(); c++) {
            int job = candidates.getInt(c);
            if (!holdsAlone(view, job)) {
                continue;
            }
            Placement placement = view.placement(job);
            for (int i = 0; i < placement.serverCount(); i++) {
                gainOn[placement.server(i)] += placement.gpusOn(i);
                gainIn[topology.rackOf(placement.server(i))] += placement.gpusOn(i);
            }
            gain += placement.gpuCount();
        }
        return gain;
    }

    /** Whether the GPUs it holds surely become free when it goes. */
    private static boolean holdsAlone(SimView view, int job) {
        return !view.cluster().isShared() || view.job(job).demand().gpuMilli() == Demand.WHOLE;
    }

    private int roomiestServer(SimView view, int gpus) {
        int best = SimView.NONE;
        for (int server = 0; server < view.topology().servers(); server++) {
            int free = view.cluster().freeOn(server);
            if (free + gainOn[server] >= gpus
                    && (best == SimView.NONE || free > view.cluster().freeOn(best))) {
                best = server;
            }
        }
        return best;
    }

    private int roomiestRack(SimView view, int gpus) {
        int best = SimView.NONE;
        for (int rack = 0; rack < view.topology().racks(); rack++) {
            int free = view.cluster().freeIn(rack);
            if (free + gainIn[rack] >= gpus
                    && (best == SimView.NONE || free > view.cluster().freeIn(best))) {
                best = rack;
            }
        }
        return best;
    }

    /** Clears so many GPUs of the servers {@code from .. to - 1}. */
    private void clear(SimView view, int missing, int from, int to, IntArrayList candidates) {
        int gained = 0;
        for (int c = 0; c < candidates.size() && gained < missing; c++) {
            int gpus = gpusBetween(view, candidates.getInt(c), from, to);
            if (gpus > 0) {
                victims.add(candidates.getInt(c));
                gained += gpus;
            }
        }
        for (int v = victims.size() - 1; v >= 0; v--) {
            int gpus = gpusBetween(view, victims.getInt(v), from, to);
            if (gained - gpus >= missing) {
                gained -= gpus;
                victims.removeInt(v);
            }
        }
    }

    private static int gpusBetween(SimView view, int job, int from, int to) {
        if (!holdsAlone(view, job)) {
            return 0;
        }
        Placement placement = view.placement(job);
        int gpus = 0;
        for (int i = 0; i < placement.serverCount(); i++) {
            int server = placement.server(i);
            gpus += server >= from && server < to ? placement.gpusOn(i) : 0;
        }
        return gpus;
    }
}
