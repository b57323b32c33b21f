package org.trainyard.env.scheduling.preemption;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.trainyard.env.scheduling.placement.ServersByFreeGpus;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/** Clears servers of a range on a cluster whose GPUs are not shared, for a {@link PreemptionPlanner}. O(servers + jobs near the cheapest squared) for each server of the plan. */
final class UnsharedClearing implements ServerClearing {
    private final SimView view;
    private final int from;
    private final int to;
    private final LeastLoss leastLoss;
    private final VictimChoice choice;
    private final PreemptionPlan plan = new PreemptionPlan();
    private final PreemptionPlan best = new PreemptionPlan();
    private double newcomerSeconds;
    /** The servers under consideration. */
    private int first;

    private int end;
    /** By server of the range, a lower bound on the cost of clearing it, and the cheapest server of the present search. */
    private final double[] bounds;

    /** By server of the range, whether the plan clears it, and the GPUs that the plan frees there, less those that it takes. */
    private final boolean[] isCleared;

    private final int[] freed;
    private double least;
    private int chosen;
    /** Whether all servers of the range have as many GPUs. */
    private final boolean isUniform;
    /** The least bounds on the costs of servers so far, in ascending order. */
    private final double[] cheapest;

    UnsharedClearing(SimView view, int from, int to, LeastLoss leastLoss, ServersByFreeGpus free) {
        this.view = view;
        this.from = from;
        this.to = to;
        this.leastLoss = leastLoss;
        choice = new VictimChoice(view, leastLoss, free);
        bounds = new double[to - from];
        isCleared = new boolean[to - from];
        freed = new int[to - from];
        cheapest = new double[to - from];
        isUniform = IntStream.range(from, to)
                .allMatch(server ->
                        view.topology().gpusOn(server) == view.topology().widestServer());
    }

    /** Begins the search for a newcomer; there is no plan under construction. */
    void begin(double newNewcomerSeconds) {
        newcomerSeconds = newNewcomerSeconds;
    }

    /** A lower bound on the cost of a plan from nothing: that of its first server. */
    double leastCost(int gpus) {
        first = from;
        end = to;
        int promising = mostPromising(gpus);
        return promising == SimView.NONE ? Double.POSITIVE_INFINITY : bounds[promising - from];
    }

    @Override
    public PreemptionPlan plan() {
        return plan;
    }

    @Override
    public void resume(PreemptionPlan known) {
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

    @Override
    public double leastCost(int gpus, int newFirst, int newEnd, boolean isClose) {
        int widest = Math.max(1, view.topology().widestServer());
        int full = isUniform ? gpus / widest : 0;
        int rest = gpus - full * widest;
        Arrays.fill(cheapest, 0, full, Double.POSITIVE_INFINITY);
        double last = rest > 0 ? Double.POSITIVE_INFINITY : 0;
        for (int server = newFirst; server < newEnd; server++) {
            if (!isCleared[server - from]) {
                if (rest > 0) {
                    last = Math.min(last, leastShare(server, rest, isClose));
                }
                if (full > 0) {
                    insertCheapest(full, leastShare(server, widest, isClose));
                }
            }
        }
        double sum = plan.cost + last;
        for (int i = 0; i < full; i++) {
            sum += cheapest[i];
        }
        return sum;
    }

    /** Inserts a cost into the least so many ones. */
    private void insertCheapest(int count, double cost) {
        int at = count;
        while (at > 0 && cost < cheapest[at - 1]) {
            if (at < count) {
                cheapest[at] = cheapest[at - 1];
            }
            at--;
        }
        if (at < count) {
            cheapest[at] = cost;
        }
    }

    private double leastShare(int server, int workers, boolean isClose) {
        int missing = missingOn(server, workers);
        if (missing <= 0) {
            return 0;
        }
        return isClose
                ? leastLoss.nowShares(server, missing, newcomerSeconds)
                : leastLoss.ofShares(server, missing, newcomerSeconds);
    }

    @Override
    public boolean clear(int gpus, int newFirst, int newEnd, double limit) {
        first = newFirst;
        end = newEnd;
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
        least = limit - plan.cost;
        chosen = SimView.NONE;
        int promising = mostPromising(left);
        if (promising == SimView.NONE || plan.cost + bounds[promising - from] >= limit) {
            return 0;
        }
        choice.begin(plan, newcomerSeconds);
        if (limit == Double.POSITIVE_INFINITY || mayBeCheapest(promising, left)) {
            consider(promising, left);
        }
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
}
