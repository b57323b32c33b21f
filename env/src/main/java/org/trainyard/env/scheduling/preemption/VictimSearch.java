package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import org.trainyard.env.scheduling.placement.CandidateServers;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Locality;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * Finds the running jobs to preempt so that a waiting job gets enough whole GPUs: anywhere, on a few servers, or within a server or rack.
 *
 * <p>Candidates are considered in the given order: the shortest prefix that frees enough GPUs on the chosen servers, less the jobs
 * that turn out not to be needed. Only GPUs that a candidate holds alone count. The list of victims is overwritten by the next
 * search. O(servers + candidates x servers of each).
 */
public final class VictimSearch {
    private final IntArrayList victims = new IntArrayList();
    /** By server, free GPUs, and GPUs free once all candidates are preempted. */
    private int[] free = new int[0];

    private int[] obtainable = new int[0];
    private boolean[] isChosen = new boolean[0];

    /**
     * The victims that free enough GPUs anywhere, in order; empty when there are none.
     *
     * @param candidates of which the first {@code count} may be preempted
     */
    private IntArrayList anywhere(SimView view, int gpus, IntArrayList candidates, int count) {
        if (begin(view, gpus, candidates, count)) {
            Arrays.fill(isChosen, true);
            select(view, gpus, candidates, count);
        }
        return victims;
    }

    /** The same on at most so many servers: those with most obtainable GPUs, of equals those with most free GPUs. */
    IntArrayList onServers(SimView view, int gpus, int mostServers, IntArrayList candidates, int count) {
        if (mostServers >= view.topology().servers()) {
            return anywhere(view, gpus, candidates, count);
        }
        if (begin(view, gpus, candidates, count)) {
            int servers = view.topology().servers();
            for (int i = 0; i < mostServers; i++) {
                int next = CandidateServers.lowest(
                        0,
                        servers,
                        server -> !isChosen[server],
                        server -> -Math.min(gpus, obtainable[server]),
                        server -> -free[server]);
                isChosen[next] = true;
            }
            select(view, gpus, candidates, count);
        }
        return victims;
    }

    /**
     * The same on one server; failing that, in one rack; failing that, anywhere. Of several servers or racks with enough obtainable GPUs,
     * the one with most free GPUs is taken, the first of equals.
     *
     * @param widest the widest locality to try
     */
    public IntArrayList within(SimView view, int gpus, Locality widest, IntArrayList candidates, int count) {
        if (!begin(view, gpus, candidates, count)) {
            return victims;
        }
        Topology topology = view.topology();
        int server = CandidateServers.lowest(
                0, topology.servers(), candidate -> obtainable[candidate] >= gpus, candidate -> -free[candidate]);
        int rack = SimView.NONE;
        if (server == SimView.NONE && widest.compareTo(Locality.RACK) >= 0) {
            rack = CandidateServers.lowest(
                    0,
                    topology.racks(),
                    candidate -> obtainableIn(topology, candidate) >= gpus,
                    candidate -> -view.cluster().freeIn(candidate));
        }
        if (server != SimView.NONE) {
            isChosen[server] = true;
        } else if (rack != SimView.NONE) {
            int first = topology.firstServer(rack);
            Arrays.fill(isChosen, first, first + topology.serversIn(rack), true);
        } else if (widest == Locality.CLUSTER) {
            Arrays.fill(isChosen, true);
        } else {
            return victims;
        }
        select(view, gpus, candidates, count);
        return victims;
    }

    /** Counts free and obtainable GPUs of every server; returns whether there are enough of them in the cluster. */
    private boolean begin(SimView view, int gpus, IntArrayList candidates, int count) {
        victims.clear();
        int sum = view.cluster().free();
        for (int c = 0; c < count; c++) {
            sum += holdsAlone(view, candidates.getInt(c))
                    ? view.placement(candidates.getInt(c)).gpuCount()
                    : 0;
        }
        if (sum < gpus) {
            return false;
        }
        int servers = view.topology().servers();
        if (free.length != servers) {
            free = new int[servers];
            obtainable = new int[servers];
            isChosen = new boolean[servers];
        }
        Arrays.fill(isChosen, false);
        for (int server = 0; server < servers; server++) {
            free[server] = view.cluster().freeOn(server);
            obtainable[server] = free[server];
        }
        for (int c = 0; c < count; c++) {
            Placement placement = view.placement(candidates.getInt(c));
            for (int i = 0; i < placement.serverCount() && holdsAlone(view, candidates.getInt(c)); i++) {
                obtainable[placement.server(i)] += placement.gpusOn(i);
            }
        }
        return true;
    }

    /** Whether the job's GPUs surely become free when it is preempted. */
    private static boolean holdsAlone(SimView view, int job) {
        return !view.cluster().isShared() || view.job(job).demand().gpuMilli() == Demand.WHOLE;
    }

    private int obtainableIn(Topology topology, int rack) {
        int first = topology.firstServer(rack);
        return Arrays.stream(obtainable, first, first + topology.serversIn(rack))
                .sum();
    }

    private void select(SimView view, int gpus, IntArrayList candidates, int count) {
        int missing = gpus;
        for (int server = 0; server < isChosen.length; server++) {
            missing -= isChosen[server] ? free[server] : 0;
        }
        int gained = 0;
        for (int c = 0; c < count && gained < missing; c++) {
            int gain = gain(view, candidates.getInt(c));
            if (gain > 0) {
                victims.add(candidates.getInt(c));
                gained += gain;
            }
        }
        if (gained < missing) {
            victims.clear();
        }
        for (int v = victims.size() - 1; v >= 0; v--) {
            int gain = gain(view, victims.getInt(v));
            if (gained - gain >= missing) {
                gained -= gain;
                victims.removeInt(v);
            }
        }
    }

    /** GPUs that become free on the chosen servers when the job is preempted. */
    private int gain(SimView view, int job) {
        if (!holdsAlone(view, job)) {
            return 0;
        }
        Placement placement = view.placement(job);
        int gain = 0;
        for (int i = 0; i < placement.serverCount(); i++) {
            gain += isChosen[placement.server(i)] ? placement.gpusOn(i) : 0;
        }
        return gain;
    }
}
