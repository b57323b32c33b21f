package org.trainyard.agents.heuristic.victims;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntComparator;
import it.unimi.dsi.fastutil.ints.IntIterator;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.CandidateServers;
import org.trainyard.agents.heuristic.queue.RunningOrder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Locality;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * Finds the running jobs to preempt so that a waiting job gets enough whole GPUs: anywhere, on a few servers, or within
 * a server or rack.
 *
 * <p>Candidates are considered in their order: the shortest prefix that frees enough GPUs on the chosen servers, less
 * the jobs that turn out not to be needed. Only GPUs that a candidate holds alone count. The list of victims is
 * overwritten by the next search.
 */
public final class VictimSearch {
    private final IntArrayList victims = new IntArrayList();
    private final IntArrayList candidates = new IntArrayList();
    private final ObtainableGpus gains = new ObtainableGpus();

    /**
     * The victims that free enough GPUs anywhere, in order; empty when there are none. O(GPUs) jobs are looked at.
     *
     * @param limit only jobs of higher rank are preempted
     * @param isWorthIt of these, which
     */
    IntArrayList anywhere(SimView view, int gpus, RunningOrder order, double limit, IntPredicate isWorthIt) {
        victims.clear();
        int missing = gpus - view.cluster().free();
        int gained = 0;
        order.begin(view);
        while (gained < missing) {
            int job = order.next(view, limit);
            if (job == SimView.NONE) {
                victims.clear();
                return victims;
            }
            if (holdsAlone(view, job) && view.placement(job).gpuCount() > 0 && isWorthIt.test(job)) {
                victims.add(job);
                gained += view.placement(job).gpuCount();
            }
        }
        spare(view, gained - missing, server -> true);
        return victims;
    }

    /**
     * Chooses victims on at most {@code mostServers} servers: those with most obtainable GPUs, of equals those with
     * most free GPUs; no victims when these have too few. O(jobs + servers chosen x servers of the jobs).
     *
     * @param jobs that may be preempted
     * @param order in which they are preempted; null when they are listed in it
     */
    IntArrayList onServers(SimView view, int gpus, int mostServers, IntArrayList jobs, @Nullable IntComparator order) {
        victims.clear();
        gains.count(view, jobs);
        int missing = gpus;
        int enough = 0;
        for (int i = 0; i < mostServers; i++) {
            int next = gains.choose(view, gpus);
            missing -= view.cluster().freeOn(next);
            enough += gains.obtainable(view, next);
        }
        if (enough >= gpus) {
            candidates.clear();
            for (int c = 0; c < jobs.size(); c++) {
                if (gain(view, jobs.getInt(c), gains::isChosen) > 0) {
                    candidates.add(jobs.getInt(c));
                }
            }
            if (order != null) {
                candidates.sort(order);
            }
            select(view, missing, candidates.iterator(), gains::isChosen);
        }
        return victims;
    }

    /**
     * Chooses victims on one server; failing that, in one rack; failing that, anywhere; none when the obtainable GPUs
     * are too few. Of several servers or racks with enough obtainable GPUs, the one with most free GPUs is taken, the
     * first of equals. O(servers + jobs on those chosen).
     *
     * @param widest the widest locality to try
     * @param jobs of which those from a level on may be preempted
     */
    public IntArrayList within(SimView view, int gpus, Locality widest, PreemptibleJobs jobs, int level) {
        victims.clear();
        if (view.cluster().free() + jobs.gpus(level) < gpus) {
            return victims;
        }
        Topology topology = view.topology();
        int server = serverFor(view, gpus, jobs, level);
        int rack = server == SimView.NONE && widest.compareTo(Locality.RACK) >= 0
                ? rackFor(view, gpus, jobs, level)
                : SimView.NONE;
        if (server != SimView.NONE) {
            selectFrom(view, gpus - view.cluster().freeOn(server), server, server + 1, jobs, level);
        } else if (rack != SimView.NONE) {
            int first = topology.firstServer(rack);
            int end = first + topology.serversIn(rack);
            selectFrom(view, gpus - view.cluster().freeIn(rack), first, end, jobs, level);
        } else if (widest == Locality.CLUSTER) {
            select(view, gpus - view.cluster().free(), jobs.inOrder(view), any -> true);
        }
        return victims;
    }

    /** A plain loop: it runs for every job that does not fit. */
    private static int serverFor(SimView view, int gpus, PreemptibleJobs jobs, int level) {
        int best = SimView.NONE;
        int most = -1;
        for (int server = 0; server < view.topology().servers(); server++) {
            int free = view.cluster().freeOn(server);
            if (free > most && free + jobs.gpusOn(level, server) >= gpus) {
                best = server;
                most = free;
            }
        }
        return best;
    }

    private static int rackFor(SimView view, int gpus, PreemptibleJobs jobs, int level) {
        return CandidateServers.lowest(
                0,
                view.topology().racks(),
                rack -> view.cluster().freeIn(rack) + jobs.gpusIn(level, rack) >= gpus,
                rack -> -view.cluster().freeIn(rack));
    }

    private void selectFrom(SimView view, int missing, int from, int to, PreemptibleJobs jobs, int level) {
        candidates.clear();
        for (int server = from; server < to; server++) {
            for (int i = 0; i < view.cluster().jobsOn(server); i++) {
                int job = view.cluster().jobOn(server, i);
                // Of a job on several of the servers, the first counts.
                boolean isFirst = view.placement(job).server(0) == server
                        || view.placement(job).server(view.placement(job).indexOf(server) - 1) < from;
                if (isFirst && jobs.contains(job) && jobs.level(job) >= level) {
                    candidates.add(job);
                }
            }
        }
        jobs.sort(view, candidates);
        select(view, missing, candidates.iterator(), server -> server >= from && server < to);
    }

    /** Whether the job may be preempted and its GPUs then surely become free. */
    static boolean holdsAlone(SimView view, int job) {
        boolean isWhole = !view.cluster().isShared() || view.job(job).demand().gpuMilli() == Demand.WHOLE;
        return isWhole && view.mayPreempt(job);
    }

    private void select(SimView view, int missing, IntIterator inOrder, IntPredicate chosen) {
        int gained = 0;
        while (gained < missing && inOrder.hasNext()) {
            int job = inOrder.nextInt();
            int gain = gain(view, job, chosen);
            if (gain > 0) {
                victims.add(job);
                gained += gain;
            }
        }
        if (gained < missing) {
            victims.clear();
            return;
        }
        spare(view, gained - missing, chosen);
    }

    /** Spares victims that are not needed, the last first. */
    private void spare(SimView view, int surplus, IntPredicate chosen) {
        int left = surplus;
        for (int v = victims.size() - 1; v >= 0; v--) {
            int gain = gain(view, victims.getInt(v), chosen);
            if (left - gain >= 0) {
                left -= gain;
                victims.removeInt(v);
            }
        }
    }

    /** GPUs that become free on the chosen servers when the job is preempted. */
    private static int gain(SimView view, int job, IntPredicate chosen) {
        if (!holdsAlone(view, job)) {
            return 0;
        }
        Placement placement = view.placement(job);
        int gain = 0;
        for (int i = 0; i < placement.serverCount(); i++) {
            gain += chosen.test(placement.server(i)) ? placement.gpusOn(i) : 0;
        }
        return gain;
    }
}
