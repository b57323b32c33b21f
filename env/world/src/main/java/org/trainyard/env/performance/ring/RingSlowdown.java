package org.trainyard.env.performance.ring;

import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * How much longer an iteration takes over the ring of a set of GPUs than over the widest ring that so many GPUs of one
 * server have anywhere in the data centre, on GPUs of the same speed and without other jobs. 1 where no server has an
 * interior of its own, and for jobs that are no rings. Not safe for several threads.
 */
public final class RingSlowdown {
    private final Topology topology;
    private final RingLinks links;
    private final PcieSharing sharing;
    /** The job and the GPUs that were asked for last, which are often asked for again. */
    private @Nullable JobSpec lastJob;

    private @Nullable GpuType lastType;
    /** Seconds of an iteration of {@link #lastJob} without communication, and over the widest ring. */
    private double compute;

    private double best;

    public RingSlowdown(Topology topology) {
        this.topology = topology;
        links = new RingLinks(topology);
        sharing = new PcieSharing(topology);
    }

    /** Whether the slowdown is ever more than 1. */
    public boolean counts() {
        return !topology.inside().arePlain();
    }

    /** Slowdown on a set of GPUs of one server, at least 1. */
    public double of(JobSpec job, int server, long mask) {
        if (isAlwaysOne(job)) {
            return 1;
        }
        return of(
                job,
                topology.server(server).gpuType(),
                topology.inside().bytesPerSecond(server, mask),
                topology.inside().latencyNanos(server, mask));
    }

    /**
     * Slowdown on a set of GPUs of one server beside other jobs there, with which it shares PCIe, at least 1.
     *
     * @param others number of other jobs on the server
     * @param gpusOf the GPUs of each of them that is on this server alone; none of another
     */
    public double beside(JobSpec job, int server, long set, int others, IntToLongFunction gpusOf) {
        if (isAlwaysOne(job)) {
            return 1;
        }
        return of(
                job,
                topology.server(server).gpuType(),
                sharing.bytesPerSecond(server, set, others, gpusOf),
                topology.inside().latencyNanos(server, set));
    }

    /** Slowdown on a placement, at least 1. */
    public double of(JobSpec job, Placement placement) {
        if (isAlwaysOne(job)) {
            return 1;
        }
        GpuType type = topology.server(placement.server(0)).gpuType();
        return of(job, type, links.bytesPerSecond(placement), links.latencyNanos(placement));
    }

    /** Sensitivity: slowdown on the narrowest ring inside a server, at the speed of the GPUs of the first. */
    public double most(JobSpec job) {
        if (isAlwaysOne(job)) {
            return 1;
        }
        double worst = topology.inside().worst(job.gpus()) * 1e9;
        return of(
                job,
                topology.server(0).gpuType(),
                worst,
                topology.fabric().pcie().latencyNanos());
    }

    private boolean isAlwaysOne(JobSpec job) {
        return job.gpus() < 2 || topology.inside().best(job.gpus()) == 0 || !counts() || RateLaw.of(job) != null;
    }

    @SuppressWarnings("ReferenceEquality")
    private double of(JobSpec job, GpuType type, double bytesPerSecond, long latencyNanos) {
        if (job != lastJob || type != lastType) {
            lastJob = job;
            lastType = type;
            compute = job.model().computeSecondsOn(type);
            best = compute
                    + RingPerformance.allReduceSeconds(
                            job,
                            job.gpus(),
                            topology.inside().best(job.gpus()) * 1e9,
                            topology.fabric().nvlink().latencyNanos());
        }
        double here = compute + RingPerformance.allReduceSeconds(job, job.gpus(), bytesPerSecond, latencyNanos);
        return Math.max(1, here / best);
    }
}
