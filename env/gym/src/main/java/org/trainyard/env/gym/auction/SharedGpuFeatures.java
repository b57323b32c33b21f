package org.trainyard.env.gym.auction;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.pairs.ObservedPairs;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;

/**
 * Writes the columns of bids that only clusters with shared GPUs or limited CPU and memory have: the job's part, its
 * sharer, and what is left over.
 */
final class SharedGpuFeatures {
    private final Rank remaining;
    private final GangCandidates sets;
    private final @Nullable ObservedPairs observed;

    /**
     * @param remaining estimated remaining time of a job, seconds
     * @param observed what was measured of pairs on a GPU; null where nobody measures
     */
    SharedGpuFeatures(Rank remaining, GangCandidates sets, @Nullable ObservedPairs observed) {
        this.remaining = remaining;
        this.sets = sets;
        this.observed = observed;
    }

    /** The columns of the cluster. */
    void cluster(Auction auction, int at) {
        if (observed != null) {
            auction.set(at, BidColumn.PAIR_ERROR, observed.error());
        }
    }

    /** The columns of a job for a part of a GPU. */
    void job(Auction auction, int at, JobSpec job) {
        if (isPart(job)) {
            auction.set(at, BidColumn.PART, job.demand().gpuMilli() / (double) Demand.WHOLE);
            auction.set(at, BidColumn.PRESSURE_GPU, job.model().pressure().gpu());
            auction.set(at, BidColumn.SENSITIVITY_GPU, job.model().sensitivity().gpu());
        }
    }

    /** Whether a job asks for parts of GPUs. */
    static boolean isPart(JobSpec job) {
        return job.demand().gpuMilli() < Demand.WHOLE;
    }

    /** The columns of the set of this number: its sharer and what it leaves. */
    void set(SimView view, Auction auction, int at, int job, int set) {
        if (sets.gpu(set) != SimView.NONE) {
            sharer(view, auction, at, job, sets.gpu(set), job);
        }
        auction.set(at, BidColumn.FRAGMENTATION, sets.fragmentation(view, set));
        Demand demand = view.job(job).demand();
        double cpu = 1;
        double memory = 1;
        for (int i = 0; i < sets.servers(set); i++) {
            int server = sets.server(set, i);
            ServerSpec spec = view.topology().server(server);
            double share = (double) sets.gpusOn(set, i) / Math.max(1, demand.gpus());
            cpu = Math.min(cpu, left(view.cluster().freeCpuMilli(server), share * demand.cpuMilli(), spec.cpuMilli()));
            memory = Math.min(
                    memory, left(view.cluster().freeMemoryMib(server), share * demand.memoryMib(), spec.memoryMib()));
        }
        auction.set(at, BidColumn.CPU_LEFT, cpu);
        auction.set(at, BidColumn.MEMORY_LEFT, memory);
    }

    private static double left(long free, double taken, long all) {
        return all == 0 || all >= ServerSpec.UNLIMITED ? 0 : Math.max(0, free - taken) / all;
    }

    /**
     * The columns of the job that stays longest on a GPU beside a job; nothing when no job stays.
     *
     * @param job the job that would go there
     * @param except a job that does not count: the one that bids, or one that makes room
     */
    void sharer(SimView view, Auction auction, int at, int job, int gpu, int except) {
        int sharer = SimView.NONE;
        double longest = -1;
        int server = view.topology().serverOf(gpu);
        long mask = 1L << (gpu - view.topology().firstGpu(server));
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int other = view.cluster().jobOn(server, n);
            Placement there = view.placement(other);
            if (other != except && (there.maskOn(there.indexOf(server)) & mask) != 0) {
                double seconds = remaining.of(view, other);
                if (seconds > longest) {
                    longest = seconds;
                    sharer = other;
                }
            }
        }
        if (sharer == SimView.NONE) {
            return;
        }
        ModelProfile model = view.job(sharer).model();
        Pressure pressure = model.pressure();
        Pressure sensitivity = model.sensitivity();
        auction.set(at, BidColumn.SHARER_TIME, longest / 60);
        auction.set(at, BidColumn.SHARER_PRESSURE_GPU, pressure.gpu());
        auction.set(at, BidColumn.SHARER_PRESSURE_SOCKET, pressure.socket());
        auction.set(at, BidColumn.SHARER_PRESSURE_PCIE, pressure.pcie());
        auction.set(at, BidColumn.SHARER_SENSITIVITY_GPU, sensitivity.gpu());
        auction.set(at, BidColumn.SHARER_SENSITIVITY_SOCKET, sensitivity.socket());
        auction.set(at, BidColumn.SHARER_SENSITIVITY_PCIE, sensitivity.pcie());
        boolean isMeasured =
                observed != null && observed.isMeasured(view.job(job).model(), model);
        auction.set(at, BidColumn.SHARER_MEASURED, isMeasured ? 1 : 0);
    }
}
