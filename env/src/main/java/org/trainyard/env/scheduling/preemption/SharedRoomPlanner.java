package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.ints.IntArrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.pairs.PairSlowdowns;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * Plans which running jobs to preempt on a cluster whose GPUs are shared, so that a waiting job starts on the fewest servers.
 *
 * <p>A job for a part of a GPU takes the place of one job, alone on the GPU or beside the other that stays there; a job for whole GPUs takes
 * those of a server that are cleared at the least cost, and a gang wider than every server clears one server after another, the cheapest first. Victims have a higher rank than the newcomer, so two jobs never preempt each other. The cost is
 * the sum over victims of the newcomer's rank over the victim's, as for {@link PreemptionPlanner}, plus the predicted slowdowns of the newcomer and of
 * the job that stays. Ours. O(jobs on all servers), O(GPUs of a server log GPUs) more on each for whole GPUs, and as much again for
 * each further server of a gang.
 *
 * <p>A planner that {@linkplain #SharedRoomPlanner(InterferenceModel, Rank, boolean) moves} jobs clears the servers of a gang in one rack where that can be,
 * the cheapest, and migrates a victim on one server to free GPUs of another where that costs less: its restart as a share of its remaining time.
 */
public final class SharedRoomPlanner {
    private static final double RESTART_SECONDS = PreemptionPlanner.RESTART_SECONDS;

    private final Rank rank;
    private final PairSlowdowns pairs;
    private final boolean moves;
    private PreemptionPlan plan = new PreemptionPlan();
    /** The cheapest plan of the racks considered so far. */
    private PreemptionPlan inRack = new PreemptionPlan();
    /** The victims on one server, and those on the cheapest server so far. */
    private PreemptionPlan onServer = new PreemptionPlan();

    private PreemptionPlan onCheapest = new PreemptionPlan();
    private double newcomerRank;
    private double limit;
    private double least;
    private double own;
    private double harm;
    /** By GPU of a server: the cost of clearing it. */
    private double[] losses = new double[8];

    private int[] order = new int[8];

    /**
     * @param belief the interference model of the scheduler, not that of the simulator
     * @param rank estimated remaining time of a job, or what else the lower of two goes first by
     */
    public SharedRoomPlanner(InterferenceModel belief, Rank rank) {
        this(belief, rank, false);
    }

    /**
     * The same with plans that keep to one rack and migrate victims.
     *
     * @param rank estimated remaining time of a job, seconds
     * @param moves whether they do
     */
    public SharedRoomPlanner(InterferenceModel belief, Rank rank, boolean moves) {
        this.rank = rank;
        this.moves = moves;
        pairs = new PairSlowdowns(belief);
    }

    /** The plan for a waiting job whose victims have any higher rank; null when there is none. Overwritten by the next. */
    public @Nullable PreemptionPlan plan(SimView view, int job) {
        return plan(view, job, rank.of(view, job), Double.POSITIVE_INFINITY);
    }

    /**
     * The same for a job with limits.
     *
     * @param leastRank victims have a higher rank
     * @param mostInterference greatest predicted interference where the job starts: the slowdowns of both sharers beyond 1
     */
    public @Nullable PreemptionPlan plan(SimView view, int job, double leastRank, double mostInterference) {
        plan.clear();
        plan.newcomer = job;
        least = Double.POSITIVE_INFINITY;
        limit = leastRank;
        newcomerRank = rank.of(view, job);
        JobSpec spec = view.job(job);
        Topology topology = view.topology();
        if (!view.isWithinQuota(job, spec.gpus())) {
            return null;
        }
        boolean isPart = spec.demand().gpuMilli() < Demand.WHOLE && spec.gpus() == 1;
        if (isPart) {
            for (int server = 0; server < topology.servers(); server++) {
                considerSharers(view, spec, server, mostInterference);
            }
        } else if (spec.demand().gpuMilli() == Demand.WHOLE && fitsServers(topology, spec.demand())) {
            own = 1;
            harm = 0;
            clear(view, spec);
        }
        return plan.size() == 0 ? null : plan;
    }

    /** Predicted slowdown of the newcomer of the last plan, at least 1. */
    public double own() {
        return own;
    }

    /** Predicted extra slowdown of the job that stays beside the newcomer of the last plan. */
    public double harm() {
        return harm;
    }

    private void considerSharers(SimView view, JobSpec newcomer, int server, double mostInterference) {
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int victim = view.cluster().jobOn(server, n);
            Placement place = view.placement(victim);
            double loss = lossOf(view, victim);
            if (place.gpuCount() > 1 || loss >= least || !fits(view, newcomer.demand(), victim, place.gpu(0), server)) {
                continue;
            }
            double newOwn = 1;
            double newHarm = 0;
            for (int m = 0; m < view.cluster().jobsOn(server); m++) {
                int other = view.cluster().jobOn(server, m);
                Placement there = view.placement(other);
                if (other != victim && there.sharesGpuOn(server, place)) {
                    newOwn *= pairs.of(newcomer.model(), view.job(other).model());
                    newHarm += (pairs.of(view.job(other).model(), newcomer.model()) - 1)
                            * Math.min(1, rank.of(view, other) / newcomerRank);
                }
            }
            double interference = newOwn - 1 + newHarm;
            if (interference <= mostInterference && loss + interference < least) {
                least = loss + interference;
                own = newOwn;
                harm = newHarm;
                plan.clear();
                plan.newcomer = newcomer.id();
                plan.servers.add(server);
                plan.add(victim, SimView.NONE, loss);
                plan.cost = least;
            }
        }
    }

    /** Whether a job that must run on one server can. */
    private static boolean fitsServers(Topology topology, Demand demand) {
        return !demand.oneServer() || demand.gpus() <= topology.widestServer();
    }

    /** Whether the newcomer fits where the victim is, once that has gone. */
    private static boolean fits(SimView view, Demand newcomer, int victim, int gpu, int server) {
        Demand gone = view.job(victim).demand();
        Cluster cluster = view.cluster();
        return newcomer.allows(view.topology().server(server).gpuType().name())
                && cluster.freeMilli(gpu) + gone.gpuMilli() >= newcomer.gpuMilli()
                && cluster.freeCpuMilli(server) + gone.cpuMilli() >= newcomer.cpuMilli()
                && cluster.freeMemoryMib(server) + gone.memoryMib() >= newcomer.memoryMib();
    }

    /** The cost of preempting a job, infinite for one that may not be. */
    private double lossOf(SimView view, int job) {
        double theirs = rank.of(view, job);
        return theirs > limit ? Math.min(1, newcomerRank / theirs) : Double.POSITIVE_INFINITY;
    }

    /**
     * The cost of migrating a job, infinite for one that may not: on several servers, without GPUs, resized, on parts of several, or moved at this
     * instant, so that plans for a newcomer that does not start after all come to an end.
     */
    private double movedLoss(SimView view, int job) {
        Placement placement = view.placement(job);
        Demand demand = view.job(job).demand();
        boolean isWhole = demand.gpuMilli() == Demand.WHOLE || demand.gpus() == 1;
        boolean mayMove = moves && isWhole && placement.serverCount() == 1 && demand.gpus() > 0;
        boolean hasRun = view.queuedSinceNanos(job) < view.nowNanos();
        return mayMove && hasRun && placement.gpuCount() == demand.gpus()
                ? RESTART_SECONDS / Math.max(RESTART_SECONDS, rank.of(view, job))
                : Double.POSITIVE_INFINITY;
    }

    /** Clears GPUs on the fewest servers, in one rack where a planner that moves jobs can; leaves the plan empty when that is impossible. */
    private void clear(SimView view, JobSpec newcomer) {
        Topology topology = view.topology();
        if (moves && newcomer.gpus() > topology.widestServer() && clearRack(view, newcomer)) {
            return;
        }
        clear(view, newcomer, 0, topology.servers());
    }

    /** Makes the cheapest of the plans inside a rack the plan; returns whether there is one. */
    private boolean clearRack(SimView view, JobSpec newcomer) {
        Topology topology = view.topology();
        double cheapest = Double.POSITIVE_INFINITY;
        for (int rack = 0; rack < topology.racks(); rack++) {
            int first = topology.firstServer(rack);
            plan.clear();
            plan.newcomer = newcomer.id();
            if (clear(view, newcomer, first, first + topology.serversIn(rack)) && plan.cost < cheapest) {
                cheapest = plan.cost;
                PreemptionPlan swapped = inRack;
                inRack = plan;
                plan = swapped;
            }
        }
        PreemptionPlan last = plan;
        plan = inRack;
        inRack = last;
        if (cheapest == Double.POSITIVE_INFINITY) {
            plan.clear();
            plan.newcomer = newcomer.id();
        }
        return cheapest < Double.POSITIVE_INFINITY;
    }

    /** Clears the servers of a range, one server after another at the least cost; leaves the plan empty and returns false when that is impossible. */
    private boolean clear(SimView view, JobSpec newcomer, int from, int to) {
        int widest = view.topology().widestServer();
        int left = newcomer.gpus();
        while (left > 0) {
            int taken = Math.min(left, widest);
            int cheapest = cheapestServer(view, newcomer, taken, from, to);
            if (cheapest == SimView.NONE) {
                plan.clear();
                return false;
            }
            plan.servers.add(cheapest);
            plan.addAll(onCheapest);
            plan.cost += least;
            left -= taken;
        }
        return plan.size() > 0;
    }

    /** The server of a range on which so many GPUs are cleared at the least cost, the first of equals. A job on one server needs a victim, for it could start on a server without. */
    private int cheapestServer(SimView view, JobSpec newcomer, int taken, int from, int to) {
        least = Double.POSITIVE_INFINITY;
        int cheapest = SimView.NONE;
        for (int server = from; server < to; server++) {
            boolean isFit = view.topology().gpusOn(server) >= taken
                    && newcomer.demand()
                            .allows(view.topology().server(server).gpuType().name());
            if (!isFit || plan.servers.contains(server) || plan.isTarget(server)) {
                continue;
            }
            double cost = clearServer(view, newcomer, server, taken);
            if (cost < least && (cost > 0 || taken < newcomer.gpus())) {
                least = cost;
                cheapest = server;
                PreemptionPlan swapped = onCheapest;
                onCheapest = onServer;
                onServer = swapped;
            }
        }
        return cheapest;
    }

    /** Fills {@link #onServer} with the further victims on the GPUs of a server that cost least; returns their cost, infinity when the newcomer does not fit. */
    private double clearServer(SimView view, JobSpec newcomer, int server, int taken) {
        onServer.clear();
        price(view, server);
        long cleared = 0;
        for (int i = 0; i < taken; i++) {
            if (losses[order[i]] == Double.POSITIVE_INFINITY) {
                return Double.POSITIVE_INFINITY;
            }
            cleared |= 1L << order[i];
        }
        double cost = 0;
        long cpuMilli = view.cluster().freeCpuMilli(server);
        long memoryMib = view.cluster().freeMemoryMib(server);
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int job = view.cluster().jobOn(server, n);
            boolean isVictim = plan.contains(job);
            if (!isVictim && (maskOn(view, job, server) & cleared) == 0) {
                continue;
            }
            cpuMilli += hereOf(view, job, server, view.job(job).demand().cpuMilli());
            memoryMib += hereOf(view, job, server, view.job(job).demand().memoryMib());
            if (!isVictim) {
                double preempted = lossOf(view, job);
                double moved = movedLoss(view, job);
                int target =
                        moved < preempted ? SharedMigration.target(view, job, server, plan, onServer) : SimView.NONE;
                double loss = target == SimView.NONE ? preempted : moved;
                cost += loss;
                onServer.add(job, target, loss);
            }
        }
        Demand demand = newcomer.demand();
        boolean fitsHost = cpuMilli >= demand.cpuMilli() * taken / newcomer.gpus()
                && memoryMib >= demand.memoryMib() * taken / newcomer.gpus();
        return fitsHost ? cost : Double.POSITIVE_INFINITY;
    }

    /** The part of a job's CPU or memory that its workers on the server hold. */
    private static long hereOf(SimView view, int job, int server, long whole) {
        Placement placement = view.placement(job);
        return whole * placement.gpusOn(placement.indexOf(server)) / placement.gpuCount();
    }

    private static long maskOn(SimView view, int job, int server) {
        Placement placement = view.placement(job);
        return placement.maskOn(placement.indexOf(server));
    }

    /** The cost of migrating a job of a server, infinite when it has no target. */
    private double movable(SimView view, int job, int server) {
        double moved = movedLoss(view, job);
        return moved < Double.POSITIVE_INFINITY
                        && SharedMigration.target(view, job, server, plan, onServer) != SimView.NONE
                ? moved
                : Double.POSITIVE_INFINITY;
    }

    /** Prices the GPUs of a server, each with its part of the cost of gangs that are not victims yet, and orders them by price. */
    private void price(SimView view, int server) {
        int gpus = view.topology().gpusOn(server);
        if (losses.length < gpus) {
            losses = new double[gpus];
            order = new int[gpus];
        }
        int first = view.topology().firstGpu(server);
        for (int place = 0; place < gpus; place++) {
            order[place] = place;
            losses[place] = view.cluster().owner(first + place) == Cluster.DOWN ? Double.POSITIVE_INFINITY : 0;
        }
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int job = view.cluster().jobOn(server, n);
            double loss = plan.contains(job)
                    ? 0
                    : Math.min(lossOf(view, job), movable(view, job, server))
                            / view.placement(job).gpuCount();
            for (long mask = maskOn(view, job, server); mask != 0; mask &= mask - 1) {
                losses[Long.numberOfTrailingZeros(mask)] += loss;
            }
        }
        IntArrays.quickSort(order, 0, gpus, (a, b) -> {
            int byLoss = Double.compare(losses[a], losses[b]);
            return byLoss != 0 ? byLoss : Integer.compare(a, b);
        });
    }
}
