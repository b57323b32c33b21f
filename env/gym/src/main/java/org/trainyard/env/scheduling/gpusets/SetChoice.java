package org.trainyard.env.scheduling.gpusets;

import org.trainyard.env.performance.ring.RingSlowdown;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/** The GPUs of one server for a gang by a {@link GpuRule}, and their cost. */
public final class SetChoice {
    /** The set that the placement builder takes, by sockets. */
    public static final long ANY = 0;
    /** A gang that no ring slows down by more than this is not sensitive. */
    public static final double SENSITIVE = 1.1;
    /** The largest slowdown by a ring that is not felt. */
    public static final double WIDER = 1.01;
    /** Cost, as a slowdown, of the loss of all that the next gangs have on a server. */
    private static final double LOSS = 1.0 / 4;

    private final Topology topology;
    private final GpuRule rule;
    private final GpuSets sets;
    private final RingSlowdown slowdown;
    private final boolean counts;

    /** @param topology as the scheduler believes it to be */
    public SetChoice(Topology topology, GpuRule rule) {
        this.topology = topology;
        this.rule = rule;
        sets = new GpuSets(topology);
        slowdown = new RingSlowdown(topology);
        counts = rule != GpuRule.SOCKET && slowdown.counts();
    }

    /** A slowdown by a ring where it is felt; otherwise 1. */
    public static double felt(double slowdown) {
        return slowdown > WIDER ? slowdown : 1;
    }

    /** Whether the links inside servers matter at all: otherwise every set is {@link #ANY} and costs nothing. */
    public boolean counts() {
        return counts;
    }

    /** The most sets that {@link #set} has for a server. */
    public int most() {
        return counts && rule == GpuRule.BOTH ? 2 : 1;
    }

    /** The i-th set of so many of the free GPUs of a server that has them; {@link #ANY} where sets do not differ. */
    public long set(SimView view, JobSpec job, int server, int workers, int i) {
        return set(view, job, server, workers, i, GpuSets.free(view, server));
    }

    /** The i-th set of so many of these free GPUs of a server; {@link #ANY} where sets do not differ. */
    public long set(SimView view, JobSpec job, int server, int workers, int i, long free) {
        if (!counts || !topology.inside().hasOwn(server) || !isWhole(view, job.demand())) {
            return ANY;
        }
        if (Long.bitCount(free) < workers) {
            return ANY;
        }
        boolean spares = rule == GpuRule.BOTH ? i == 1 : rule == GpuRule.PRESERVE && !isSensitive(job);
        return spares ? sets.sparing(server, free, workers) : sets.widest(server, free, workers);
    }

    private static boolean isWhole(SimView view, Demand demand) {
        return demand.gpus() > 0
                && demand.gpuMilli() == Demand.WHOLE
                && !view.cluster().isShared();
    }

    private boolean isSensitive(JobSpec job) {
        return slowdown.most(job) > SENSITIVE;
    }

    /** Slowdown of the job by the ring of all its GPUs on one server beside the jobs there now, at least 1. */
    public double slowdown(SimView view, JobSpec job, int server, long set, int workers) {
        if (!counts || workers < 2) {
            return 1;
        }
        return slowdown.beside(
                job, server, set == ANY ? any(workers) : set, view.cluster().jobsOn(server), i -> {
                    int neighbour = view.cluster().jobOn(server, i);
                    Placement there = view.placement(neighbour);
                    return neighbour == job.id() || there.serverCount() > 1 || there.gpuCount() == 0
                            ? 0
                            : there.maskOn(0);
                });
    }

    /** Loss of the next gangs by the set, 0 to 1. */
    public double loss(SimView view, int server, long set, int workers) {
        if (!counts) {
            return 0;
        }
        return loss(server, set, workers, GpuSets.free(view, server));
    }

    private double loss(int server, long set, int workers, long free) {
        return sets.loss(server, free, set == ANY ? lowest(free, workers) : set);
    }

    /** Slowdown of the job by the narrowest ring that it could have inside a server, at least 1. */
    public double most(JobSpec job) {
        return counts ? slowdown.most(job) : 1;
    }

    /** Slowdown of the job alone by the widest ring over so many of these GPUs of a server, at least 1. */
    public double widestOf(JobSpec job, int server, long gpus, int workers) {
        if (!counts || workers < 2 || Long.bitCount(gpus) < workers) {
            return 1;
        }
        boolean isAny = !topology.inside().hasOwn(server);
        return slowdown.of(job, server, isAny ? any(workers) : sets.widest(server, gpus, workers));
    }

    /**
     * Slowdown of a running job by the ring of its GPUs beside the jobs there now, at least 1; on several servers 1.
     */
    public double ofRunning(SimView view, int job) {
        Placement placement = view.placement(job);
        boolean isRing = counts && placement.serverCount() == 1 && placement.gpuCount() > 1;
        return isRing
                ? slowdown(view, view.job(job), placement.server(0), placement.maskOn(0), placement.gpuCount())
                : 1;
    }

    /** Quality for gangs of a server of which all GPUs are free, 0 to 1. */
    public double qualityOfAll(int server) {
        return sets.qualityOfAll(server);
    }

    /**
     * The cost of a set beside others on other servers, in slowdowns: that of the job by its ring, and a little for the
     * loss of the next gangs; a gang that is not sensitive has no slowdown under {@link GpuRule#PRESERVE}.
     */
    public double cost(SimView view, JobSpec job, int server, long set, int workers) {
        if (!counts) {
            return 0;
        }
        double ring = slowdown(view, job, server, set, workers);
        return cost(job, server, set, workers, GpuSets.free(view, server), ring);
    }

    /** Cost, in slowdowns, of a set out of these free GPUs of a server, given the slowdown by its ring. */
    public double cost(JobSpec job, int server, long set, int workers, long free, double ring) {
        if (!counts) {
            return 0;
        }
        double own = rule == GpuRule.PRESERVE && !isSensitive(job) ? 0 : ring - 1;
        return own + LOSS * loss(server, set, workers, free);
    }

    /** The least {@link #cost} of the sets that {@link #set} has on a server with so many free GPUs. */
    public double leastCost(SimView view, JobSpec job, int server, int workers) {
        if (!counts) {
            return 0;
        }
        long free = GpuSets.free(view, server);
        double least = Double.POSITIVE_INFINITY;
        long before = ANY;
        for (int i = 0; i < most(); i++) {
            long mask = set(view, job, server, workers, i, free);
            if (i == 0 || mask != before) {
                double ring = slowdown(view, job, server, mask, workers);
                least = Math.min(least, cost(job, server, mask, workers, free, ring));
                before = mask;
            }
        }
        return least;
    }

    /** A set of so many GPUs: on a server without an interior of its own all sets of a size are alike. */
    private static long any(int workers) {
        return -1L >>> (64 - workers);
    }

    private static long lowest(long free, int workers) {
        long set = 0;
        long left = free;
        for (int i = 0; i < workers && left != 0; i++, left &= left - 1) {
            set |= left & -left;
        }
        return set;
    }
}
