package org.trainyard.env.scheduling.preemption;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.placement.PlacementPreview;
import org.trainyard.env.scheduling.placement.ServersByFreeGpus;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
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
    private static final PreemptionPlan NOTHING = new PreemptionPlan();

    /** The assumed restart cost of a migrated job, seconds. */
    static final double RESTART_SECONDS = 60;

    private final SimView view;
    private final int from;
    private final int to;
    /** Racks of the range to the fewest of which a plan keeps if possible; 0 when it need not. */
    private final int racks;

    private final int widestRack;
    /** The servers under consideration. */
    private int first;

    private int end;
    private final Rank remainingSeconds;
    private final PlannedMigrations migrations;
    private final LeastLoss leastLoss;
    private final VictimChoice choice;
    private final PreemptionPlan best = new PreemptionPlan();
    /** The plans made since the last event: the first {@link #planCount} of the list. */
    private final List<PreemptionPlan> plans = new ArrayList<>();

    private int planCount;
    /** By number of GPUs, the shortest estimated remaining time for which the search has failed since the last event. */
    private final double[] infeasibleFrom;

    /** By server of the range, a lower bound on the cost of clearing it, and the cheapest server of the present search. */
    private final double[] bounds;

    /** By server of the range, whether the plan clears it, and the GPUs that the plan frees there, less those that it takes. */
    private final boolean[] isCleared;

    private final int[] freed;
    private double least;
    private int chosen;

    private long plannedAtNanos = -1;
    private long plannedAtVersion = -1;
    private double newcomerSeconds;
    /** The plan extended by the cheapest rack so far. */
    private final PreemptionPlan extended = new PreemptionPlan();
    /** The plan under construction. */
    private final PreemptionPlan plan = new PreemptionPlan();

    /**
     * @param from first server of the range
     * @param to first server after the range
     * @param remainingSeconds estimated remaining time of a waiting or running job, seconds
     * @param free index of the same cluster
     */
    public PreemptionPlanner(
            SimView view, int from, int to, Rank remainingSeconds, PlacementPreview preview, ServersByFreeGpus free) {
        this(view, from, to, remainingSeconds, preview, free, false);
    }

    /**
     * The same with plans that keep to the fewest racks.
     *
     * @param keepsToRacks whether a plan keeps to one rack of the range, the cheapest, or for a wider gang to as few as it needs, where they can be cleared
     */
    public PreemptionPlanner(
            SimView view,
            int from,
            int to,
            Rank remainingSeconds,
            PlacementPreview preview,
            ServersByFreeGpus free,
            boolean keepsToRacks) {
        this.view = view;
        this.from = from;
        this.remainingSeconds = remainingSeconds;
        migrations = new PlannedMigrations(view, preview, free);
        bounds = new double[to - from];
        isCleared = new boolean[to - from];
        freed = new int[to - from];
        leastLoss = new LeastLoss(view, from, to, remainingSeconds, free);
        choice = new VictimChoice(view, leastLoss, free);
        this.to = to;
        Topology topology = view.topology();
        racks = keepsToRacks ? topology.rackOf(to - 1) - topology.rackOf(from) + 1 : 0;
        int widest = 0;
        for (int rack = 0; rack < racks; rack++) {
            widest = Math.max(widest, gpusIn(firstIn(rack), endOf(rack)));
        }
        widestRack = widest;
        infeasibleFrom = new double[gpusIn(from, to) + 1];
    }

    private int gpusIn(int start, int stop) {
        return view.topology().firstGpu(stop - 1)
                + view.topology().gpusOn(stop - 1)
                - view.topology().firstGpu(start);
    }

    /**
     * The plan for the waiting job, or null when no preemption gives it a consolidated placement in the range. The plan is valid
     * until the next event.
     */
    public @Nullable PreemptionPlan plan(int job) {
        int gpus = view.job(job).gpus();
        if (gpus >= infeasibleFrom.length) {
            return null;
        }
        forgetWhenStale();
        // First the plans that there are: the greedy search may fail for a shorter job of the same width, and a plan
        // once offered must stand.
        for (int i = 0; i < planCount; i++) {
            if (plans.get(i).newcomer == job) {
                return plans.get(i);
            }
        }
        newcomerSeconds = remainingSeconds.of(view, job);
        if (newcomerSeconds >= infeasibleFrom[gpus]) {
            return null;
        }
        if (planCount == plans.size()) {
            plans.add(new PreemptionPlan());
        }
        PreemptionPlan cheapest = plans.get(planCount);
        cheapest.clear();
        cheapest.newcomer = job;
        if (!search(gpus, cheapest)) {
            infeasibleFrom[gpus] = newcomerSeconds;
            return null;
        }
        planCount++;
        return cheapest;
    }

    /** Fills a plan with the cheapest, on the fewest racks where they can be cleared; returns whether there is one. */
    private boolean search(int gpus, PreemptionPlan cheapest) {
        // A gang on one server keeps to a rack anyway.
        boolean keeps = racks > 0 && gpus > view.topology().widestServer();
        if (!keeps || !searchRacks(gpus, cheapest)) {
            cheapest.clear();
            first = from;
            end = to;
            if (clear(gpus, Double.POSITIVE_INFINITY)) {
                cheapest.copy(plan);
            }
            resume(NOTHING);
        }
        return cheapest.size() > 0;
    }

    /** Fills a plan rack by rack, each time with the one that is cleared at the least cost; returns whether that is possible. */
    private boolean searchRacks(int gpus, PreemptionPlan cheapest) {
        int left = gpus;
        while (left > 0) {
            int part = Math.min(left, widestRack);
            double leastInRack = Double.POSITIVE_INFINITY;
            for (int rack = 0; rack < racks; rack++) {
                first = firstIn(rack);
                end = endOf(rack);
                if (gpusIn(first, end) >= part && clear(part, leastInRack)) {
                    leastInRack = plan.cost;
                    extended.copy(plan);
                }
                resume(cheapest);
            }
            if (leastInRack == Double.POSITIVE_INFINITY) {
                resume(NOTHING);
                return false;
            }
            cheapest.copy(extended);
            resume(cheapest);
            left -= part;
        }
        resume(NOTHING);
        return true;
    }

    /** Makes the plan under construction, and what is counted of it, one that is known. */
    private void resume(PreemptionPlan known) {
        countPlan(-1);
        plan.copy(known);
        countPlan(1);
    }

    private void countPlan(int sign) {
        for (int i = 0; i < plan.servers(); i++) {
            isCleared[plan.servers.getInt(i) - from] = sign > 0;
        }
        for (int v = 0; v < plan.size(); v++) {
            countFreed(plan.victim(v), plan.target(v), sign);
        }
    }

    /** The first server of a rack in the range. */
    private int firstIn(int rack) {
        return Math.max(from, view.topology().firstServer(view.topology().rackOf(from) + rack));
    }

    private int endOf(int rack) {
        return rack == racks - 1 ? to : firstIn(rack + 1);
    }

    private void forgetWhenStale() {
        if (plannedAtNanos != view.nowNanos() || plannedAtVersion != view.version()) {
            plannedAtNanos = view.nowNanos();
            plannedAtVersion = view.version();
            planCount = 0;
            leastLoss.update();
            Arrays.fill(infeasibleFrom, Double.POSITIVE_INFINITY);
        }
    }

    /** Extends the plan by servers of the range under consideration; returns whether so many GPUs are cleared there for less than the limit. */
    private boolean clear(int gpus, double limit) {
        int left = gpus;
        while (left > 0) {
            int cleared = clearCheapestServer(left, limit);
            if (cleared == 0 || plan.cost >= limit) {
                return false;
            }
            left -= cleared;
        }
        return true;
    }

    /** Adds the server that is cleared at the least cost to the plan, the first of equals; returns for how many workers, or 0 when none can be cleared. */
    private int clearCheapestServer(int left, double limit) {
        least = Double.POSITIVE_INFINITY;
        chosen = SimView.NONE;
        int promising = mostPromising(left);
        if (promising == SimView.NONE || plan.cost + bounds[promising - from] >= limit) {
            return 0;
        }
        choice.begin(plan, newcomerSeconds);
        consider(promising, left);
        for (int server = first; server < end; server++) {
            double bound = bounds[server - from];
            if (server != promising
                    && bound <= least
                    && bound < Double.POSITIVE_INFINITY
                    && mayBeCheapest(server, left)) {
                consider(server, left);
            }
        }
        if (chosen == SimView.NONE) {
            return 0;
        }
        choice.clear(chosen, missingOn(chosen, left));
        best.clear();
        choice.addTo(best);
        plan.servers.add(chosen);
        isCleared[chosen - from] = true;
        plan.addAll(best);
        for (int v = 0; v < best.size(); v++) {
            countFreed(best.victim(v), best.target(v), 1);
        }
        plan.cost += least;
        return Math.min(left, view.topology().gpusOn(chosen));
    }

    /** Bounds the cost of every server from below, and returns the one of the least bound; none when no server can be cleared. */
    private int mostPromising(int left) {
        int promising = SimView.NONE;
        double lowest = Double.POSITIVE_INFINITY;
        for (int server = first; server < end; server++) {
            int missing = missingOn(server, left);
            double bound = isCleared[server - from]
                    ? Double.POSITIVE_INFINITY
                    : missing <= 0 ? 0 : leastLoss.of(server, missing, newcomerSeconds);
            bounds[server - from] = bound;
            if (bound < lowest) {
                lowest = bound;
                promising = server;
            }
        }
        return promising;
    }

    private boolean mayBeCheapest(int server, int left) {
        int missing = missingOn(server, left);
        return missing <= 0 || leastLoss.now(server, missing, newcomerSeconds) <= least;
    }

    private void consider(int server, int left) {
        double cost = choice.clear(server, missingOn(server, left));
        if (cost < least || (cost == least && server < chosen)) {
            least = cost;
            chosen = server;
        }
    }

    /** GPUs that have to be freed on the server for so many workers, or as many as it has GPUs. */
    private int missingOn(int server, int left) {
        return Math.min(left, view.topology().gpusOn(server)) - freeOn(server);
    }

    /** GPUs free on the server when the plan so far has been carried out. */
    private int freeOn(int server) {
        return view.cluster().freeOn(server) + freed[server - from];
    }

    /** Counts what a victim of the plan frees in the range, and what it takes where it is migrated; with the sign -1 takes that back. */
    private void countFreed(int victim, int target, int sign) {
        Placement placement = view.placement(victim);
        for (int i = 0; i < placement.serverCount(); i++) {
            if (placement.server(i) >= from && placement.server(i) < to) {
                freed[placement.server(i) - from] += sign * placement.gpusOn(i);
            }
        }
        if (target >= from && target < to) {
            freed[target - from] -= sign * view.job(victim).gpus();
        }
    }

    /** Whether a job may migrate there: the plan neither clears that server nor migrates another job to it. */
    static boolean isTarget(PreemptionPlan plan, int target, int server) {
        return target != server && !plan.servers.contains(target) && !plan.isTarget(target);
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
