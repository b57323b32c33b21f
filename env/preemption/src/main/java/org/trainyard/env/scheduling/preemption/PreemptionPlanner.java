package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * Plans which running jobs to preempt or to migrate so that a waiting job gets a consolidated placement, one on the
 * fewest servers, in a range of servers.
 *
 * <p>A migrated job runs on one server and restarts at once on another that has room; its cost is the restart as a
 * share of its estimated remaining time. A preempted job returns to the queue; its estimated remaining time is longer
 * than the waiting job's, so two jobs never preempt each other, and its cost is the ratio of the shorter time to the
 * longer. The search is greedy: it clears one server after another at the least cost and, on a server, takes the
 * cheapest victims first and spares those not needed.
 *
 * <p>A plan is kept until the next event.
 */
public final class PreemptionPlanner {
    private final SimView view;
    private final Rank remainingSeconds;
    private final PlacementPreview preview;
    private final VictimRemainingTimes times;
    private final EvictionCostBound bound;
    private final WholeGpuVictims victims;
    private final EvictionSearch search;
    /** By job, the plans made since the last event. */
    private final Int2ObjectOpenHashMap<PreemptionPlan> plans = new Int2ObjectOpenHashMap<>();

    private final PreemptionPlan found = new PreemptionPlan();
    /**
     * By number of GPUs, the shortest estimated remaining time for which the search has failed since the last event.
     */
    private final double[] infeasibleFrom;

    /** By number of GPUs, a remaining time for which the search has failed at this instant. */
    private final double[] tooDearFrom;
    /** The limit at which it has. */
    private final double[] tooDearAt;

    private long plannedAtNanos = -1;
    private long plannedAtVersion = -1;

    /**
     * @param from first server of the range
     * @param to first server after the range
     * @param remainingSeconds estimated remaining time of a waiting or running job, seconds
     * @param keepsToRacks whether a plan keeps to one rack of the range, the cheapest, or for a wider gang to as few as
     *     it needs, where they can be cleared
     * @param charge for restarts and lost work, each as a share of the victim's remaining time
     */
    public PreemptionPlanner(
            SimView view,
            int from,
            int to,
            Rank remainingSeconds,
            PlacementPreview preview,
            boolean keepsToRacks,
            PreemptionCharge charge) {
        this.view = view;
        this.remainingSeconds = remainingSeconds;
        Topology topology = view.topology();
        this.preview = preview;
        times = new VictimRemainingTimes(view, from, to, remainingSeconds, charge);
        bound = new EvictionCostBound(view, from, to, remainingSeconds, times);
        GrowingPlan growing = new GrowingPlan(view, from, to);
        victims = new WholeGpuVictims(view, times, bound, growing);
        search = new EvictionSearch(topology, from, to, keepsToRacks, growing, victims);
        int gpus = IntStream.range(from, to).map(topology::gpusOn).sum();
        infeasibleFrom = new double[gpus + 1];
        tooDearFrom = new double[gpus + 1];
        tooDearAt = new double[gpus + 1];
    }

    /**
     * The plan for the waiting job, or null when its quota allows no further GPUs or no preemption gives it a
     * consolidated placement in the range. The plan is valid until the next event.
     */
    public @Nullable PreemptionPlan plan(int job) {
        return plan(job, Double.POSITIVE_INFINITY);
    }

    /**
     * The plan for the waiting job, if one is found that costs less than a limit, above 0; otherwise null. Plans that
     * keep to racks are looked for there alone, and at one instant no second time for jobs of as many GPUs with as much
     * time or more.
     */
    public @Nullable PreemptionPlan plan(int job, double limit) {
        int gpus = view.job(job).gpus();
        // Victims that move go on holding GPUs of their quota, so room alone would not let the job start.
        if (gpus >= infeasibleFrom.length || !view.isWithinQuota(job, gpus)) {
            return null;
        }
        forgetWhenStale();
        double beneficiarySeconds = remainingSeconds.of(view, job);
        // First the plans that there are: the greedy search may fail for a shorter job of the same width, and a plan
        // once offered must stand.
        PreemptionPlan known = plans.get(job);
        if (known != null) {
            return known.cost < limit ? known : null;
        }
        if (beneficiarySeconds >= infeasibleFrom[gpus]
                || (beneficiarySeconds >= tooDearFrom[gpus] && limit <= tooDearAt[gpus])) {
            return null;
        }
        victims.begin(beneficiarySeconds);
        boolean isImpossible = bound.isImpossible(gpus, beneficiarySeconds);
        if (!isImpossible && search.find(gpus, limit, found)) {
            PreemptionPlan plan = found.copy();
            plans.put(job, plan);
            return plan;
        }
        if (isImpossible || limit == Double.POSITIVE_INFINITY) {
            infeasibleFrom[gpus] = beneficiarySeconds;
        } else {
            tooDearFrom[gpus] = beneficiarySeconds;
            tooDearAt[gpus] = limit;
        }
        return null;
    }

    private void forgetWhenStale() {
        if (plannedAtNanos != view.nowNanos()) {
            Arrays.fill(tooDearFrom, Double.POSITIVE_INFINITY);
        }
        if (plannedAtNanos != view.nowNanos() || plannedAtVersion != view.version()) {
            plannedAtNanos = view.nowNanos();
            plannedAtVersion = view.version();
            plans.clear();
            times.update();
            bound.update();
            Arrays.fill(infeasibleFrom, Double.POSITIVE_INFINITY);
        }
    }

    /**
     * Preempts the victims of a plan and starts the migrated ones again, each on the server of least
     * {@link PlacementPreview#costOn} among a few servers of each number of free GPUs.
     *
     * @param builder an empty builder; it is left empty
     */
    public void carryOut(PreemptionPlan valid, PlacementBuilder builder, DecisionSink decisions) {
        Migrations.carryOut(view, valid, preview, builder, decisions);
    }
}
