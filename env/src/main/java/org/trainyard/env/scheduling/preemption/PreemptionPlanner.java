package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.placement.PlacementPreview;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * Plans which running jobs to preempt or to migrate so that a waiting job gets a consolidated placement, one on the fewest servers, in
 * a range of servers.
 *
 * <p>A migrated job runs on one server and restarts at once on another that has room; its cost is the restart as a share of its
 * estimated remaining time. A preempted job returns to the queue; its estimated remaining time is
 * longer than the waiting job's, so two jobs never preempt each other, and its cost is the ratio of the shorter time to the longer.
 * The search is greedy: it clears one server after another at the least cost and, on a server, takes the cheapest victims first and
 * spares those not needed.
 *
 * <p>A plan is kept until the next event, so asking again at the same instant costs nothing.
 */
public final class PreemptionPlanner {
    /** The assumed restart cost of a migrated job, seconds. */
    static final double RESTART_SECONDS = 60;

    private final SimView view;
    private final Rank remainingSeconds;
    private final PlannedMigrations migrations;
    private final LeastLoss leastLoss;
    private final UnsharedClearing clearing;
    private final RoomSearch search;
    /** The plans made since the last event: the first {@link #planCount} of the list. */
    private final List<PreemptionPlan> plans = new ArrayList<>();

    private int planCount;
    /** By number of GPUs, the shortest estimated remaining time for which the search has failed since the last event. */
    private final double[] infeasibleFrom;

    /** The jobs of which it is not known whether there is a plan at any cost. */
    private final IntArrayList unknown = new IntArrayList();

    private long plannedAtNanos = -1;
    private long plannedAtVersion = -1;

    /**
     * @param from first server of the range
     * @param to first server after the range
     * @param remainingSeconds estimated remaining time of a waiting or running job, seconds
     */
    public PreemptionPlanner(SimView view, int from, int to, Rank remainingSeconds, PlacementPreview preview) {
        this(view, from, to, remainingSeconds, preview, false);
    }

    /**
     * A planner whose plans may keep to the fewest racks.
     *
     * @param keepsToRacks whether a plan keeps to one rack of the range, the cheapest, or for a wider gang to as few as it needs, where they can be cleared
     */
    public PreemptionPlanner(
            SimView view, int from, int to, Rank remainingSeconds, PlacementPreview preview, boolean keepsToRacks) {
        this.view = view;
        this.remainingSeconds = remainingSeconds;
        Topology topology = view.topology();
        migrations = new PlannedMigrations(view, preview);
        leastLoss = new LeastLoss(view, from, to, remainingSeconds);
        clearing = new UnsharedClearing(view, from, to, leastLoss);
        search = new RoomSearch(topology, from, to, keepsToRacks);
        int gpus = 0;
        for (int server = from; server < to; server++) {
            gpus += topology.gpusOn(server);
        }
        infeasibleFrom = new double[gpus + 1];
    }

    /**
     * The plan for the waiting job, or null when its quota allows no further GPUs or no preemption gives it a consolidated placement in the
     * range. The plan is valid until the next event.
     */
    public @Nullable PreemptionPlan plan(int job) {
        return plan(job, Double.POSITIVE_INFINITY);
    }

    /** The same for who needs a plan that costs less than a limit, above 0, alone: where there are only dearer ones, a plan of infinite cost. */
    public @Nullable PreemptionPlan plan(int job, double limit) {
        return plan(job, limit, true);
    }

    /**
     * The same for who need not know whether there are dearer ones.
     *
     * @param asksIfAny whether that is needed; otherwise the answer may also be null where there are only dearer ones
     */
    public @Nullable PreemptionPlan plan(int job, double limit, boolean asksIfAny) {
        int gpus = view.job(job).gpus();
        // Victims that move go on holding GPUs of their quota, so room alone would not let the job start.
        if (gpus >= infeasibleFrom.length || !view.isWithinQuota(job, gpus)) {
            return null;
        }
        forgetWhenStale();
        double newcomerSeconds = remainingSeconds.of(view, job);
        // First the plans that there are: the greedy search may fail for a shorter job of the same width, and a plan
        // once offered must stand.
        for (int i = 0; i < planCount; i++) {
            PreemptionPlan known = plans.get(i);
            if (known.newcomer == job) {
                if (known.cost == Double.POSITIVE_INFINITY && limit > known.limit) {
                    search(known, newcomerSeconds, limit, true);
                }
                return known;
            }
        }
        if (asksIfAny) {
            settleUnknown(gpus, newcomerSeconds);
        }
        if (newcomerSeconds >= infeasibleFrom[gpus] || leastLoss.clearable().isImpossible(gpus, newcomerSeconds)) {
            return null;
        }
        if (planCount == plans.size()) {
            plans.add(new PreemptionPlan());
        }
        plans.get(planCount).newcomer = job;
        if (search(plans.get(planCount), newcomerSeconds, limit, asksIfAny)) {
            return settleUnknown(gpus, newcomerSeconds) ? plan(job, limit, asksIfAny) : plans.get(planCount++);
        }
        if (asksIfAny || limit == Double.POSITIVE_INFINITY) {
            infeasibleFrom[gpus] = newcomerSeconds;
        } else {
            unknown.add(job);
        }
        return null;
    }

    /** Makes a plan for its newcomer; returns whether there is one. */
    private boolean search(PreemptionPlan plan, double newcomerSeconds, double limit, boolean asksIfAny) {
        plan.limit = limit;
        clearing.begin(newcomerSeconds);
        return search.find(clearing, view.job(plan.newcomer).gpus(), limit, asksIfAny, plan);
    }

    /** Finds out whether there are plans for the jobs of which that is not known and which count for a newcomer of this width, in the order in which they were asked for; returns whether there were such jobs. */
    private boolean settleUnknown(int gpus, double newcomerSeconds) {
        int next = 0;
        while (next < unknown.size() && !precedes(unknown.getInt(next), gpus, newcomerSeconds)) {
            next++;
        }
        if (next == unknown.size()) {
            return false;
        }
        int job = unknown.removeInt(next);
        plan(job, Double.MIN_NORMAL, true);
        settleUnknown(gpus, newcomerSeconds);
        return true;
    }

    private boolean precedes(int job, int gpus, double newcomerSeconds) {
        return view.job(job).gpus() == gpus && remainingSeconds.of(view, job) <= newcomerSeconds;
    }

    /** Whether there may be a plan for the waiting job now; without a search, so false only where that is certain. */
    public boolean mayPlan(int job) {
        int gpus = view.job(job).gpus();
        if (gpus >= infeasibleFrom.length) {
            return false;
        }
        forgetWhenStale();
        return !leastLoss.clearable().isImpossible(gpus, remainingSeconds.of(view, job));
    }

    /** A cost that no plan for the waiting job is below now; infinity when there can be no plan. O(servers of the range). */
    public double leastCost(int job) {
        int gpus = view.job(job).gpus();
        if (gpus >= infeasibleFrom.length) {
            return Double.POSITIVE_INFINITY;
        }
        forgetWhenStale();
        clearing.begin(remainingSeconds.of(view, job));
        return clearing.leastCost(gpus);
    }

    private void forgetWhenStale() {
        if (plannedAtNanos != view.nowNanos() || plannedAtVersion != view.version()) {
            plannedAtNanos = view.nowNanos();
            plannedAtVersion = view.version();
            planCount = 0;
            unknown.clear();
            leastLoss.update();
            Arrays.fill(infeasibleFrom, Double.POSITIVE_INFINITY);
        }
    }

    /**
     * Preempts the victims of a plan and starts the migrated ones again, each on the server of least {@link PlacementPreview#costOn}
     * among a few servers of each number of free GPUs.
     *
     * @param builder an empty builder; it is left empty
     */
    public void carryOut(PreemptionPlan valid, PlacementBuilder builder, DecisionSink decisions) {
        migrations.carryOut(valid, builder, decisions);
    }
}
