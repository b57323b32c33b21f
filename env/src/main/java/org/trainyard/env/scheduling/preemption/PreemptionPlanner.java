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

    /** The jobs for which no plan was found below a limit since the last event. */
    private final IntArrayList costly = new IntArrayList();

    private final IntArrayList searched = new IntArrayList();
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
     * The plan for the waiting job, or null when no preemption gives it a consolidated placement in the range. The plan is valid
     * until the next event.
     */
    public @Nullable PreemptionPlan plan(int job) {
        return plan(job, Double.POSITIVE_INFINITY);
    }

    /**
     * The plan for the waiting job that costs less than a limit, or null when the search finds none. The plan is
     * valid until the next event.
     */
    public @Nullable PreemptionPlan plan(int job, double limit) {
        int gpus = view.job(job).gpus();
        if (gpus >= infeasibleFrom.length) {
            return null;
        }
        forgetWhenStale();
        // First the plans that there are: the greedy search may fail for a shorter job of the same width, and a plan
        // once offered must stand.
        for (int i = 0; i < planCount; i++) {
            if (plans.get(i).newcomer == job) {
                return plans.get(i).cost < limit ? plans.get(i) : null;
            }
        }
        double newcomerSeconds = remainingSeconds.of(view, job);
        if (newcomerSeconds >= infeasibleFrom[gpus] || leastLoss.clearable().isImpossible(gpus, newcomerSeconds)) {
            return null;
        }
        if (!search(job, newcomerSeconds, limit)) {
            if (limit == Double.POSITIVE_INFINITY) {
                infeasibleFrom[gpus] = newcomerSeconds;
            } else {
                costly.add(job);
            }
            return null;
        }
        if (isAnyCostly(gpus, newcomerSeconds)) {
            planCostly(gpus, newcomerSeconds);
            return plan(job, limit);
        }
        return plans.get(planCount++);
    }

    /** Makes the plan after those that there are. */
    private boolean search(int job, double newcomerSeconds, double limit) {
        if (planCount == plans.size()) {
            plans.add(new PreemptionPlan());
        }
        plans.get(planCount).newcomer = job;
        clearing.begin(newcomerSeconds);
        return search.find(clearing, view.job(job).gpus(), limit, plans.get(planCount));
    }

    /** Whether it is not known if the search fails for a job that was asked for earlier, so that it counts as failed for a newcomer of the same width, too. */
    private boolean isAnyCostly(int gpus, double newcomerSeconds) {
        for (int i = 0; i < costly.size(); i++) {
            if (precedes(costly.getInt(i), gpus, newcomerSeconds)) {
                return true;
            }
        }
        return false;
    }

    private boolean precedes(int job, int gpus, double newcomerSeconds) {
        return view.job(job).gpus() == gpus && remainingSeconds.of(view, job) <= newcomerSeconds;
    }

    /** Searches without a limit for the jobs that count for the newcomer, in the order in which they were asked for. */
    private void planCostly(int gpus, double newcomerSeconds) {
        int kept = 0;
        int count = costly.size();
        for (int i = 0; i < count; i++) {
            int job = costly.getInt(i);
            if (precedes(job, gpus, newcomerSeconds)) {
                searched.add(job);
            } else {
                costly.set(kept++, job);
            }
        }
        costly.size(kept);
        for (int i = 0; i < searched.size(); i++) {
            plan(searched.getInt(i), Double.POSITIVE_INFINITY);
        }
        searched.clear();
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
            costly.clear();
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
