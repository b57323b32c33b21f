package org.trainyard.env.scheduling.preemption;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.pairs.PairSlowdowns;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * Plans which running jobs to preempt on a cluster whose GPUs are shared, so that a waiting job starts on the fewest
 * servers.
 *
 * <p>A job for a part of a GPU takes the place of one job, alone on the GPU or beside the other that stays there; a job
 * for whole GPUs takes those of a server that are cleared at the least cost, and a gang wider than every server clears
 * one server after another, the cheapest first. Victims have a higher rank than the pending job, so two jobs never
 * preempt each other. The cost is the sum over victims of the pending job's rank over the victim's, as for
 * {@link PreemptionPlanner}, plus the predicted slowdowns of the pending job and of the job that stays. Ours. O(jobs on
 * all servers), O(GPUs of a server log GPUs) more on each for whole GPUs, and as much again for each further server of
 * a gang.
 *
 * <p>A planner that moves jobs clears the servers of a gang on the fewest racks where that can be, as
 * {@link EvictionSearch} says, and migrates a victim on one server to free GPUs of another where that costs less: its
 * restart as a share of its remaining time.
 */
public final class SharedGpuPreemption {
    private final SimView view;
    private final Rank rank;
    private final PairSlowdowns pairs;
    private final PreemptionCharge charge;
    private final SharedGpuVictims victims;
    private final EvictionSearch search;
    private final PreemptionPlan plan = new PreemptionPlan();
    private double beneficiaryRank;
    private double limit;
    private double least;
    private double own;
    private double harm;

    /**
     * @param belief the interference model of the scheduler, not that of the simulator
     * @param rank estimated remaining time of a job, seconds, or without moves what else the lower of two goes first by
     * @param moves whether plans keep to the fewest racks and migrate victims
     * @param charge for restarts and lost work, each as a share of the victim's remaining time
     */
    public SharedGpuPreemption(
            SimView view, InterferenceModel belief, Rank rank, boolean moves, PreemptionCharge charge) {
        this.view = view;
        this.charge = charge;
        this.rank = rank;
        pairs = new PairSlowdowns(belief);
        int servers = view.topology().servers();
        GrowingPlan growing = new GrowingPlan(view, 0, servers);
        victims = new SharedGpuVictims(view, rank, moves, charge, growing);
        search = new EvictionSearch(view.topology(), 0, servers, moves, growing, victims);
    }

    /**
     * The plan for a waiting job whose victims have any higher rank; null when there is none. Overwritten by the next.
     */
    public @Nullable PreemptionPlan plan(int job) {
        return plan(job, rank.of(view, job), Double.POSITIVE_INFINITY);
    }

    /**
     * The plan for a waiting job within limits; null when there is none. Overwritten by the next.
     *
     * @param leastRank victims have a higher rank
     * @param mostInterference greatest predicted interference where the job starts: the slowdowns of both sharers
     *     beyond 1
     */
    public @Nullable PreemptionPlan plan(int job, double leastRank, double mostInterference) {
        plan.clear();
        least = Double.POSITIVE_INFINITY;
        limit = leastRank;
        beneficiaryRank = rank.of(view, job);
        JobSpec spec = view.job(job);
        Topology topology = view.topology();
        if (!view.isWithinQuota(job, spec.gpus())) {
            return null;
        }
        boolean isPart = spec.demand().gpuMilli() < Demand.WHOLE && spec.gpus() == 1;
        if (isPart) {
            for (int server = 0; server < topology.servers(); server++) {
                considerSharers(spec, server, mostInterference);
            }
        } else if (spec.demand().gpuMilli() == Demand.WHOLE
                && (!spec.demand().oneServer() || spec.gpus() <= topology.widestServer())) {
            own = 1;
            harm = 0;
            victims.begin(job, leastRank);
            search.find(spec.gpus(), Double.POSITIVE_INFINITY, plan);
        }
        return plan.size() == 0 ? null : plan;
    }

    /** Predicted slowdown of the pending job of the last plan, at least 1. */
    public double own() {
        return own;
    }

    /** Predicted extra slowdown of the job that stays beside the pending job of the last plan. */
    public double harm() {
        return harm;
    }

    private void considerSharers(JobSpec beneficiary, int server, double mostInterference) {
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int victim = view.cluster().jobOn(server, n);
            Placement place = view.placement(victim);
            double loss = SharedGpuVictims.loss(rank.of(view, victim), beneficiaryRank, limit)
                    + charge.share(view, victim, view.predictedRemainingSeconds(victim));
            if (place.gpuCount() != 1
                    || loss >= least
                    || !view.mayPreempt(victim)
                    || !fits(beneficiary.demand(), victim, place.gpu(0), server)) {
                continue;
            }
            double newOwn = 1;
            double newHarm = 0;
            for (int m = 0; m < view.cluster().jobsOn(server); m++) {
                int other = view.cluster().jobOn(server, m);
                Placement there = view.placement(other);
                if (other != victim && there.sharesGpuOn(server, place)) {
                    newOwn *= pairs.of(beneficiary.model(), view.job(other).model());
                    newHarm += (pairs.of(view.job(other).model(), beneficiary.model()) - 1)
                            * Math.min(1, rank.of(view, other) / beneficiaryRank);
                }
            }
            double interference = newOwn - 1 + newHarm;
            if (interference <= mostInterference && loss + interference < least) {
                least = loss + interference;
                own = newOwn;
                harm = newHarm;
                plan.clear();
                plan.servers.add(server);
                plan.add(victim, SimView.NONE);
                plan.cost = least;
            }
        }
    }

    /** Whether the pending job fits where the victim is, once that has gone. */
    private boolean fits(Demand beneficiary, int victim, int gpu, int server) {
        Demand gone = view.job(victim).demand();
        Cluster cluster = view.cluster();
        return beneficiary.allows(view.topology().server(server).gpuType().name())
                && cluster.freeMilli(gpu) + gone.gpuMilli() >= beneficiary.gpuMilli()
                && cluster.freeCpuMilli(server) + gone.cpuMilliOf(1) >= beneficiary.cpuMilli()
                && cluster.freeMemoryMib(server) + gone.memoryMibOf(1) >= beneficiary.memoryMib();
    }

    /**
     * Preempts the victims of a plan and starts the migrated ones again, each on free GPUs of its target.
     *
     * @param builder an empty builder; it is left empty
     */
    public void carryOut(PreemptionPlan valid, PlacementBuilder builder, DecisionSink decisions) {
        Migrations.carryOut(view, valid, null, builder, decisions);
    }
}
