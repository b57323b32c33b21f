package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntComparator;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * Clears whole GPUs on servers whose GPUs are shared, for a {@link SharedRoomPlanner}: on a server, the GPUs that
 * are cleared at the least cost. For each server of the plan O(jobs on all servers), O(GPUs of a server log GPUs)
 * more on each, and the search for a target for each job that would rather migrate.
 */
final class SharedEviction implements ServerEviction {
    private static final double RESTART_SECONDS = PreemptionPlanner.RESTART_SECONDS;

    private final SimView view;
    private final Rank rank;
    private final boolean moves;
    private final PreemptionCharge charge;
    private final RoomSearch search;
    private final int widest;
    private int beneficiary = SimView.NONE;
    private double beneficiaryRank;
    private double leastRank;
    private final PreemptionPlan plan = new PreemptionPlan();
    /** The victims on one server, and those on the cheapest server so far. */
    private PreemptionPlan onServer = new PreemptionPlan();

    private PreemptionPlan onCheapest = new PreemptionPlan();
    private double least;
    /** By GPU of a server: the cost of clearing it. */
    private final double[] prices;

    private final int[] order;
    private final IntComparator byPrice = this::compare;
    /**
     * By place in the list of a server's jobs: what the job costs as a victim, and the server to which it would
     * migrate.
     */
    private double[] losses = new double[16];

    private int[] targets = new int[16];

    /** @param moves whether plans keep to the fewest racks and migrate victims */
    SharedEviction(SimView view, Rank rank, boolean moves, PreemptionCharge charge) {
        this.charge = charge;
        this.view = view;
        this.rank = rank;
        this.moves = moves;
        search = new RoomSearch(view.topology(), 0, view.topology().servers(), moves);
        widest = view.topology().widestServer();
        prices = new double[widest];
        order = new int[widest];
    }

    private int compare(int a, int b) {
        int byLoss = Double.compare(prices[a], prices[b]);
        return byLoss != 0 ? byLoss : Integer.compare(a, b);
    }

    /** Whether the eviction is on the cluster of a view. */
    boolean isOf(SimView other) {
        return view == other;
    }

    /**
     * Fills a plan with the cheapest that is found for a waiting job and victims above a rank; leaves it empty when
     * there is none.
     */
    void find(int job, double victimsAbove, PreemptionPlan cheapest) {
        beneficiary = job;
        beneficiaryRank = rank.of(view, job);
        leastRank = victimsAbove;
        search.find(this, view.job(job).gpus(), Double.POSITIVE_INFINITY, cheapest);
    }

    @Override
    public PreemptionPlan plan() {
        return plan;
    }

    @Override
    public void resume(PreemptionPlan known) {
        plan.copy(known);
    }

    @Override
    public double leastCost(int gpus, int from, int to, boolean isClose) {
        return plan.cost;
    }

    @Override
    public boolean clear(int gpus, int from, int to, double limit) {
        int left = gpus;
        while (left > 0) {
            int taken = Math.min(left, widest);
            int cheapest = cheapestServer(taken, from, to);
            if (cheapest == SimView.NONE || plan.cost + least >= limit) {
                return false;
            }
            plan.servers.add(cheapest);
            plan.addAll(onCheapest);
            plan.cost += least;
            left -= taken;
        }
        // A whole job needs a victim, for it could start on servers without.
        return plan.size() > 0 || gpus < view.job(beneficiary).gpus();
    }

    /**
     * The server of a range on which so many GPUs are cleared at the least cost, the first of equals. A job on one
     * server needs a victim.
     */
    private int cheapestServer(int taken, int from, int to) {
        JobSpec job = view.job(beneficiary);
        least = Double.POSITIVE_INFINITY;
        int cheapest = SimView.NONE;
        for (int server = from; server < to; server++) {
            boolean isFit = view.topology().gpusOn(server) >= taken
                    && job.demand()
                            .allows(view.topology().server(server).gpuType().name());
            if (!isFit || plan.servers.contains(server) || plan.isTarget(server)) {
                continue;
            }
            double cost = clearServer(job, server, taken);
            if (cost < least && (cost > 0 || taken < job.gpus())) {
                least = cost;
                cheapest = server;
                PreemptionPlan swapped = onCheapest;
                onCheapest = onServer;
                onServer = swapped;
            }
        }
        return cheapest;
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
            boolean isVictim = plan.contains(there);
            if (!isVictim && (maskOn(there, server) & cleared) == 0) {
                continue;
            }
            cpuMilli += hereOf(there, server, view.job(there).demand().cpuMilli());
            memoryMib += hereOf(there, server, view.job(there).demand().memoryMib());
            cost += isVictim ? 0 : add(there, n, server);
        }
        Demand demand = job.demand();
        boolean fitsHost = cpuMilli >= demand.cpuMilli() * taken / job.gpus()
                && memoryMib >= demand.memoryMib() * taken / job.gpus();
        return fitsHost ? cost : Double.POSITIVE_INFINITY;
    }

    /** Makes the n-th job of a server a victim; returns what it costs. */
    private double add(int job, int n, int server) {
        if (targets[n] != SimView.NONE && onServer.isTarget(targets[n])) {
            // An earlier victim on this server goes there.
            targets[n] = SharedMigration.target(view, job, server, plan, onServer);
            losses[n] = targets[n] == SimView.NONE ? preemptedLoss(job) : losses[n];
        }
        onServer.add(job, targets[n]);
        return losses[n];
    }

    /** The part of a job's CPU or memory that its workers on the server hold. */
    private long hereOf(int job, int server, long whole) {
        Placement placement = view.placement(job);
        return whole * placement.gpusOn(placement.indexOf(server)) / placement.gpuCount();
    }

    private long maskOn(int job, int server) {
        Placement placement = view.placement(job);
        return placement.maskOn(placement.indexOf(server));
    }

    /**
     * Prices the jobs of a server as victims, 0 for those that are, each with a target of its own where it costs
     * less to migrate it.
     */
    private void priceJobs(int server) {
        int jobs = view.cluster().jobsOn(server);
        if (losses.length < jobs) {
            losses = new double[2 * jobs];
            targets = new int[2 * jobs];
        }
        for (int n = 0; n < jobs; n++) {
            int job = view.cluster().jobOn(server, n);
            boolean isVictim = plan.contains(job);
            losses[n] = isVictim ? 0 : preemptedLoss(job);
            double moved = isVictim ? Double.POSITIVE_INFINITY : movedLoss(job);
            targets[n] = moved < losses[n] ? SharedMigration.target(view, job, server, plan, onServer) : SimView.NONE;
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

    private double preemptedLoss(int job) {
        return view.mayPreempt(job)
                ? SharedRoomPlanner.loss(rank.of(view, job), beneficiaryRank, leastRank)
                        + charge.share(view, job, view.predictedRemainingSeconds(job))
                : Double.POSITIVE_INFINITY;
    }

    /**
     * The cost of migrating a job, infinite for one that may not: on several servers, without GPUs, resized, on
     * parts of several, or moved at this instant, so that plans for a pending job that does not start after all come
     * to an end.
     */
    private double movedLoss(int job) {
        Placement placement = view.placement(job);
        Demand demand = view.job(job).demand();
        boolean isWhole = demand.gpuMilli() == Demand.WHOLE || demand.gpus() == 1;
        boolean mayMove = moves && view.mayMigrate(job) && isWhole && placement.serverCount() == 1 && demand.gpus() > 0;
        boolean hasRun = view.queuedSinceNanos(job) < view.nowNanos();
        return mayMove && hasRun && placement.gpuCount() == demand.gpus()
                ? Math.max(
                        RESTART_SECONDS / Math.max(RESTART_SECONDS, rank.of(view, job)),
                        charge.share(view, job, view.predictedRemainingSeconds(job)))
                : Double.POSITIVE_INFINITY;
    }
}
