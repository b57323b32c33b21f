package org.trainyard.agents.heuristic.victims;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntComparator;
import it.unimi.dsi.fastutil.ints.IntIterator;
import it.unimi.dsi.fastutil.ints.IntRBTreeSet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * Running jobs that may be preempted, in levels, and the GPUs that they hold on every server, in every rack and in the
 * cluster. A pending job may preempt all jobs from some level on.
 *
 * <p>Only jobs that hold whole GPUs count, because only these GPUs surely become free. Jobs are preempted in the order
 * of their levels, highest first; on one level highest rank first, of equal rank the latest submitted first. O(log jobs
 * + servers of the job) for each job that comes or goes.
 */
public final class PreemptibleJobs {
    private final Topology topology;
    private final Rank rank;
    private final boolean isSteady;
    private final int[][] gpusOn;
    private final int[][] gpusIn;
    private final int[] gpus;
    private final IntComparator order = (a, b) -> compare(this.ranks, a, b);
    private final IntRBTreeSet jobs = new IntRBTreeSet(order);
    private byte[] levels = new byte[64];
    /** By job, its rank when it came; 0 where ranks change. */
    private double[] ranks = new double[64];
    /** By job, its placement when it came; null for a job that may not be preempted. */
    private @Nullable Placement[] placements = new Placement[64];

    private final IntComparator orderNow = (a, b) -> compare(this.ranksNow, a, b);
    private double[] ranksNow = new double[0];

    /**
     * No jobs yet.
     *
     * @param isSteady whether the rank of a job stays as it is while the job is here
     */
    public PreemptibleJobs(Topology topology, int levels, Rank rank, boolean isSteady) {
        this.topology = topology;
        this.rank = rank;
        this.isSteady = isSteady;
        gpusOn = new int[levels][topology.servers()];
        gpusIn = new int[levels][topology.racks()];
        gpus = new int[levels];
    }

    private int compare(double[] by, int a, int b) {
        int byLevel = Integer.compare(levels[b], levels[a]);
        int byRank = byLevel != 0 ? byLevel : Double.compare(by[b], by[a]);
        return byRank != 0 ? byRank : Integer.compare(b, a);
    }

    /** Adds a running job that is not here yet, unless it shares GPUs. */
    public void add(SimView view, int job, int level) {
        if (view.cluster().isShared() && view.job(job).demand().gpuMilli() < Demand.WHOLE) {
            return;
        }
        if (job >= placements.length) {
            int length = Math.max(2 * placements.length, job + 1);
            placements = Arrays.copyOf(placements, length);
            levels = Arrays.copyOf(levels, length);
            ranks = Arrays.copyOf(ranks, length);
        }
        levels[job] = (byte) level;
        ranks[job] = isSteady ? rank.of(view, job) : 0;
        placements[job] = view.placement(job);
        jobs.add(job);
        count(view.placement(job), level, 1);
    }

    /** Removes the job, if it is here. */
    public void remove(int job) {
        Placement placement = job < placements.length ? placements[job] : null;
        if (placement != null) {
            jobs.remove(job);
            placements[job] = null;
            count(placement, levels[job], -1);
        }
    }

    private void count(Placement placement, int level, int sign) {
        for (int i = 0; i < placement.serverCount(); i++) {
            int server = placement.server(i);
            gpusOn[level][server] += sign * placement.gpusOn(i);
            gpusIn[level][topology.rackOf(server)] += sign * placement.gpusOn(i);
        }
        gpus[level] += sign * placement.gpuCount();
    }

    public boolean contains(int job) {
        return job < placements.length && placements[job] != null;
    }

    int level(int job) {
        return levels[job];
    }

    /** All jobs in the order in which they are preempted. */
    IntIterator inOrder(SimView view) {
        if (isSteady) {
            return jobs.iterator();
        }
        IntArrayList sorted = new IntArrayList(jobs);
        sort(view, sorted);
        return sorted.iterator();
    }

    /** Sorts some of the jobs into the order in which they are preempted. */
    public void sort(SimView view, IntArrayList some) {
        if (isSteady) {
            IntArrays.quickSort(some.elements(), 0, some.size(), order);
            return;
        }
        if (ranksNow.length < ranks.length) {
            ranksNow = new double[ranks.length];
        }
        for (int i = 0; i < some.size(); i++) {
            ranksNow[some.getInt(i)] = rank.of(view, some.getInt(i));
        }
        IntArrays.quickSort(some.elements(), 0, some.size(), orderNow);
    }

    /** GPUs that jobs from this level on hold in the cluster. */
    int gpus(int from) {
        int sum = 0;
        for (int level = from; level < gpus.length; level++) {
            sum += gpus[level];
        }
        return sum;
    }

    /** GPUs that jobs from this level on hold on the server. */
    int gpusOn(int from, int server) {
        int sum = 0;
        for (int level = from; level < gpus.length; level++) {
            sum += gpusOn[level][server];
        }
        return sum;
    }

    /** GPUs that jobs from this level on hold in the rack. */
    int gpusIn(int from, int rack) {
        int sum = 0;
        for (int level = from; level < gpus.length; level++) {
            sum += gpusIn[level][rack];
        }
        return sum;
    }
}
