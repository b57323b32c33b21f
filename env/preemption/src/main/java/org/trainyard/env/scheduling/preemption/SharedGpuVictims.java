package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntComparator;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.FreeGpuIndex;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * The choice of the victims of a {@link SharedGpuPreemption} on one server, for a job of whole GPUs: those on the GPUs
 * that are cleared at the least cost. O(jobs on the server, GPUs of a server log GPUs), and the search for a target for
 * each job that would rather migrate.
 */
final class SharedGpuVictims implements ServerVictims {
    private final SimView view;
    private final Rank rank;
    private final boolean moves;
    private final PreemptionCharge charge;
    private final GrowingPlan plan;
    private int beneficiary = SimView.NONE;
    private double beneficiaryRank;
    private double leastRank;
    private final PreemptionPlan onServer = new PreemptionPlan();
    /** By GPU of a server: the cost of clearing it. */
    private final double[] prices;

    private final int[] order;
    private final IntComparator byPrice = this::compare;
    /** By place in the list of a server's jobs: what the job costs as a victim. */
    private double[] losses = new double[16];
    /** The server to which it would migrate. */
    private int[] targets = new int[16];

    /** @param moves whether plans migrate victims */
    SharedGpuVictims(SimView view, Rank rank, boolean moves, PreemptionCharge charge, GrowingPlan plan) {
        this.charge = charge;
        this.view = view;
        this.rank = rank;
        this.moves = moves;
        this.plan = plan;
        prices = new double[view.topology().widestServer()];
        order = new int[prices.length];
    }

    private int compare(int a, int b) {
        int byLoss = Double.compare(prices[a], prices[b]);
        return byLoss != 0 ? byLoss : Integer.compare(a, b);
    }

    /** Begins the search for a waiting job and victims above a rank. */
    void begin(int job, double victimsAbove) {
        beneficiary = job;
        beneficiaryRank = rank.of(view, job);
        leastRank = victimsAbove;
    }

    @Override
    public void bound(int workers, int first, int end, double[] bounds) {
        Demand demand = view.job(beneficiary).demand();
        for (int server = first; server < end; server++) {
            boolean isFit = view.topology().gpusOn(server) >= workers
                    && demand.allows(view.topology().server(server).gpuType().name());
            bounds[server] = isFit ? 0 : Double.POSITIVE_INFINITY;
        }
        boundChanged(workers, first, end, bounds);
    }

    @Override
    public void boundChanged(int workers, int first, int end, double[] bounds) {
        for (int server = first; server < end; server++) {
            bounds[server] = plan.isTaken(server) ? Double.POSITIVE_INFINITY : bounds[server];
        }
    }

    @Override
    public double closeBound(int server, int workers) {
        return 0;
    }

    /** {@inheritDoc} A job on one server needs a victim. */
    @Override
    public double choose(int server, int workers) {
        JobSpec job = view.job(beneficiary);
        double cost = clearServer(job, server, workers);
        return cost > 0 || workers < job.gpus() ? cost : Double.POSITIVE_INFINITY;
    }

    @Override
    public void addTo(PreemptionPlan part) {
        part.addAll(onServer);
    }

    /** {@inheritDoc} A whole job needs a victim, for it could start on servers without. */
    @Override
    public boolean mayNeedNone(int gpus) {
        return gpus < view.job(beneficiary).gpus();
    }

    /**
     * Fills {@link #onServer} with the further victims on the GPUs of a server that cost least; returns their cost,
     * infinity when the pending job does not fit.
     */
    private double clearServer(JobSpec job, int server, int taken) {
        onServer.clear();
        priceJobs(server);
        priceGpus(server);
        long cleared = 0;
        for (int i = 0; i < taken; i++) {
            if (prices[order[i]] == Double.POSITIVE_INFINITY) {
                return Double.POSITIVE_INFINITY;
            }
            cleared |= 1L << order[i];
        }
        double cost = 0;
        long cpuMilli = view.cluster().freeCpuMilli(server);
        long memoryMib = view.cluster().freeMemoryMib(server);
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int there = view.cluster().jobOn(server, n);
            boolean isVictim = plan.plan().contains(there);
            if (!isVictim && (maskOn(there, server) & cleared) == 0) {
                continue;
            }
            Placement placement = view.placement(there);
            int workers = placement.gpusOn(placement.indexOf(server));
            cpuMilli += view.job(there).demand().cpuMilliOf(workers);
            memoryMib += view.job(there).demand().memoryMibOf(workers);
            cost += isVictim ? 0 : add(there, n, server);
        }
        Demand demand = job.demand();
        boolean fitsHost = cpuMilli >= demand.cpuMilliOf(taken) && memoryMib >= demand.memoryMibOf(taken);
        return fitsHost ? cost : Double.POSITIVE_INFINITY;
    }

    /** Makes the n-th job of a server a victim; returns what it costs. */
    private double add(int job, int n, int server) {
        if (targets[n] != SimView.NONE && onServer.isTarget(targets[n])) {
            // An earlier victim on this server goes there.
            targets[n] = target(job, server);
            losses[n] = targets[n] == SimView.NONE ? preemptedLoss(job) : losses[n];
        }
        onServer.add(job, targets[n]);
        return losses[n];
    }

    private long maskOn(int job, int server) {
        Placement placement = view.placement(job);
        return placement.maskOn(placement.indexOf(server));
    }

    /**
     * Prices the jobs of a server as victims, 0 for those that are, each with a target of its own where it costs less
     * to migrate it.
     */
    private void priceJobs(int server) {
        int jobs = view.cluster().jobsOn(server);
        if (losses.length < jobs) {
            losses = new double[2 * jobs];
            targets = new int[2 * jobs];
        }
        for (int n = 0; n < jobs; n++) {
            int job = view.cluster().jobOn(server, n);
            boolean isVictim = plan.plan().contains(job);
            losses[n] = isVictim ? 0 : preemptedLoss(job);
            double moved = isVictim ? Double.POSITIVE_INFINITY : movedLoss(job);
            targets[n] = moved < losses[n] ? target(job, server) : SimView.NONE;
            losses[n] = targets[n] == SimView.NONE ? losses[n] : moved;
        }
    }

    /** Prices the GPUs of a server, each with its part of the cost of its jobs, and orders them by price. */
    private void priceGpus(int server) {
        int gpus = view.topology().gpusOn(server);
        int first = view.topology().firstGpu(server);
        for (int place = 0; place < gpus; place++) {
            order[place] = place;
            prices[place] = view.cluster().owner(first + place) == Cluster.DOWN ? Double.POSITIVE_INFINITY : 0;
        }
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int job = view.cluster().jobOn(server, n);
            double loss = losses[n] / view.placement(job).gpuCount();
            for (long mask = maskOn(job, server); mask != 0; mask &= mask - 1) {
                prices[Long.numberOfTrailingZeros(mask)] += loss;
            }
        }
        IntArrays.quickSort(order, 0, gpus, byPrice);
    }

    /** The cost of preempting a job of a rank for a pending job, infinite when it is not above a limit. */
    static double loss(double theirs, double beneficiary, double limit) {
        return theirs > limit ? Math.min(1, beneficiary / theirs) : Double.POSITIVE_INFINITY;
    }

    private double preemptedLoss(int job) {
        return view.mayPreempt(job)
                ? loss(rank.of(view, job), beneficiaryRank, leastRank)
                        + charge.share(view, job, view.predictedRemainingSeconds(job))
                : Double.POSITIVE_INFINITY;
    }

    /**
     * The cost of migrating a job, infinite for one that may not: on several servers, without GPUs, resized, on parts
     * of several, or moved at this instant, so that plans for a pending job that does not start after all come to an
     * end.
     */
    private double movedLoss(int job) {
        Placement placement = view.placement(job);
        Demand demand = view.job(job).demand();
        boolean isWhole = demand.gpuMilli() == Demand.WHOLE || demand.gpus() == 1;
        boolean mayMove = moves && view.mayMigrate(job) && isWhole && placement.serverCount() == 1 && demand.gpus() > 0;
        boolean hasRun = view.queuedSinceNanos(job) < view.nowNanos();
        return mayMove && hasRun && placement.gpuCount() == demand.gpus()
                ? Math.max(
                        PreemptionCharge.restartShare(rank.of(view, job)),
                        charge.share(view, job, view.predictedRemainingSeconds(job)))
                : Double.POSITIVE_INFINITY;
    }

    /**
     * The server with the fewest free GPUs on which a job of a server has room, of those that the plan leaves alone;
     * none when there is none.
     */
    private int target(int job, int server) {
        FreeGpuIndex free = view.cluster().byFreeGpus();
        Demand demand = view.job(job).demand();
        int target = free.tightest(demand.gpus());
        while (target != SimView.NONE
                && (target == server
                        || plan.isTaken(target)
                        || onServer.isTarget(target)
                        || view.cluster().room(demand, target) < demand.gpus())) {
            target = free.after(target);
        }
        return target;
    }
}
