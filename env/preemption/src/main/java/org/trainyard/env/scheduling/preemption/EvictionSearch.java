package org.trainyard.env.scheduling.preemption;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * The search for the victims that give up their GPUs for a waiting job: it clears one server of a range after another
 * at the least cost, on the fewest racks where that can be, one rack after another at the least cost, and else anywhere
 * in the range. The racks need not be the best together: the search is greedy. Servers and racks are tried in the order
 * of lower bounds on their costs, as far as these do not exceed the least cost. O(servers) for each server of the plan,
 * and the choice of victims on those near the cheapest.
 */
final class EvictionSearch {
    /** Costs whose ratio is less than this may be equal but for rounding. */
    private static final double ALIKE = 1 + 1e-9;

    private static final PreemptionPlan NOTHING = new PreemptionPlan();

    private final Topology topology;
    private final int from;
    private final int to;
    private final int widestServer;
    /** Whether all servers of the range have as many GPUs. */
    private final boolean isUniform;
    /**
     * The first server of each rack in the range, and the end of the range; no rack when plans need not keep to racks.
     */
    private final int[] begins;
    /** GPUs by rack, of the servers in the range. */
    private final int[] gpusIn;

    private int widestRack;
    private final GrowingPlan growing;
    private final ServerVictims victims;
    /** The plan extended by the cheapest rack so far. */
    private final PreemptionPlan extended = new PreemptionPlan();

    /**
     * By rack, in the search for one: a lower bound on the cost of the plan that clears it, until that is searched for.
     */
    private final double[] rackBounds;
    /** By rack, whether its bound is a close one. */
    private final boolean[] isClose;
    /** Servers of which a rack clears all GPUs, at least. */
    private int full;
    /** GPUs that it clears beside. */
    private int rest;
    /** By server of the range, in the search for a rack: a lower bound on the cost of clearing it. */
    private final double[] bounds;
    /** By server of the range, in the search for a rack: a lower bound on the cost of clearing the rest there. */
    private final double[] lastBounds;
    /** The bounds of the servers that are being cleared, as close as they are known. */
    private final double[] serverBounds;
    /** The least bounds on the costs of servers so far, in ascending order. */
    private final double[] cheapest;
    /** The cheapest server so far. */
    private int chosen;
    /** Cost of the cheapest server so far. */
    private double least;
    /** Victims on the cheapest server so far. */
    private final PreemptionPlan best = new PreemptionPlan();

    /**
     * @param from first server of the range
     * @param to first server after the range
     * @param keepsToRacks whether a plan keeps to the fewest racks where they can be cleared
     */
    EvictionSearch(
            Topology topology, int from, int to, boolean keepsToRacks, GrowingPlan growing, ServerVictims victims) {
        this.topology = topology;
        this.from = from;
        this.to = to;
        this.growing = growing;
        this.victims = victims;
        widestServer = Math.max(1, topology.widestServer());
        isUniform = IntStream.range(from, to).allMatch(server -> topology.gpusOn(server) == widestServer);
        bounds = new double[to - from];
        lastBounds = new double[to - from];
        serverBounds = new double[to - from];
        cheapest = new double[to - from];
        int first = topology.rackOf(from);
        gpusIn = new int[keepsToRacks ? topology.rackOf(to - 1) - first + 1 : 0];
        rackBounds = new double[gpusIn.length];
        isClose = new boolean[gpusIn.length];
        begins = new int[gpusIn.length + 1];
        for (int rack = 0; rack < gpusIn.length; rack++) {
            begins[rack] = Math.max(from, topology.firstServer(first + rack));
        }
        begins[gpusIn.length] = to;
        for (int rack = 0; rack < gpusIn.length; rack++) {
            gpusIn[rack] = IntStream.range(begins[rack], begins[rack + 1])
                    .map(topology::gpusOn)
                    .sum();
            widestRack = Math.max(widestRack, gpusIn[rack]);
        }
    }

    /**
     * Fills a plan with the cheapest that is found; returns whether there is a plan with victims.
     *
     * @param gpus that the beneficiary needs
     * @param limit what a plan costs less than; with a finite one, plans that keep to racks are looked for there alone
     */
    boolean find(int gpus, double limit, PreemptionPlan cheapestPlan) {
        // A gang on one server keeps to a rack anyway.
        boolean keeps = gpusIn.length > 0 && gpus > widestServer;
        boolean isFound = (keeps && findByRack(gpus, limit, cheapestPlan))
                || ((!keeps || limit == Double.POSITIVE_INFINITY) && findAnywhere(gpus, limit, cheapestPlan));
        growing.resume(NOTHING);
        return isFound && cheapestPlan.size() > 0;
    }

    private boolean findAnywhere(int gpus, double limit, PreemptionPlan plan) {
        growing.resume(NOTHING);
        boolean isFound = clear(gpus, from, to, limit);
        plan.copy(isFound ? growing.plan() : NOTHING);
        return isFound;
    }

    /**
     * Fills a plan rack by rack, each time with the one that is cleared at the least cost; returns whether that is
     * possible below the limit.
     */
    private boolean findByRack(int gpus, double limit, PreemptionPlan plan) {
        plan.clear();
        int left = gpus;
        while (left > 0) {
            int part = Math.min(left, widestRack);
            if (!findRack(part, limit, plan)) {
                return false;
            }
            plan.copy(extended);
            left -= part;
        }
        return true;
    }

    /**
     * Finds the plan extended by the rack that is cleared at the least cost, the first of equals; returns whether one
     * costs less than a limit in all. The bound of a rack is made closer before its servers are cleared.
     */
    private boolean findRack(int gpus, double most, PreemptionPlan known) {
        growing.resume(known);
        boundRacks(gpus);
        double limit = most;
        int found = SimView.NONE;
        for (int rack = lowest(rackBounds, 0, gpusIn.length, limit);
                rack != SimView.NONE;
                rack = lowest(rackBounds, 0, gpusIn.length, limit)) {
            growing.resume(known);
            if (!isClose[rack]) {
                isClose[rack] = true;
                rackBounds[rack] = Math.max(rackBounds[rack], boundRack(rack, true));
                continue;
            }
            rackBounds[rack] = Double.POSITIVE_INFINITY;
            if (clear(gpus, begins[rack], begins[rack + 1], limit)) {
                double cost = growing.plan().cost;
                if (found == SimView.NONE || cost < extended.cost || (cost == extended.cost && rack < found)) {
                    found = rack;
                    extended.copy(growing.plan());
                    limit = Math.min(limit, cost * ALIKE + Double.MIN_NORMAL);
                }
            }
        }
        return found != SimView.NONE;
    }

    /** Bounds the cost of the plan extended by servers of each rack on which so many GPUs are cleared. */
    private void boundRacks(int gpus) {
        full = isUniform ? gpus / widestServer : 0;
        rest = gpus - full * widestServer;
        if (full > 0) {
            victims.bound(widestServer, from, to, bounds);
        }
        if (rest > 0) {
            victims.bound(rest, from, to, lastBounds);
        }
        for (int rack = 0; rack < gpusIn.length; rack++) {
            isClose[rack] = false;
            rackBounds[rack] = gpusIn[rack] < gpus ? Double.POSITIVE_INFINITY : boundRack(rack, false);
        }
    }

    /**
     * Bounds the cost of a rack by the cheapest servers there; closely, by close bounds of those that may be among
     * them.
     */
    private double boundRack(int rack, boolean closely) {
        Arrays.fill(cheapest, 0, full, Double.POSITIVE_INFINITY);
        double last = rest > 0 ? Double.POSITIVE_INFINITY : 0;
        for (int server = begins[rack]; server < begins[rack + 1]; server++) {
            int i = server - from;
            if (rest > 0 && lastBounds[i] < last) {
                last = Math.min(last, closely ? victims.closeBound(server, rest) : lastBounds[i]);
            }
            if (full > 0 && bounds[i] < cheapest[full - 1]) {
                insertCheapest(closely ? victims.closeBound(server, widestServer) : bounds[i]);
            }
        }
        double sum = growing.plan().cost + last;
        for (int i = 0; i < full; i++) {
            sum += cheapest[i];
        }
        return sum;
    }

    /** Puts a cost in the place of the dearest of the cheapest, if it is less. */
    private void insertCheapest(double cost) {
        int at = full - 1;
        while (at > 0 && cost < cheapest[at - 1]) {
            cheapest[at] = cheapest[at - 1];
            at--;
        }
        cheapest[at] = Math.min(cheapest[at], cost);
    }

    /**
     * Extends the plan by servers of a range; returns whether so many GPUs are cleared there and the whole plan costs
     * less than the limit.
     */
    private boolean clear(int gpus, int first, int end, double limit) {
        int left = gpus;
        int workers = 0;
        while (left > 0) {
            if (workers != Math.min(left, widestServer)) {
                workers = Math.min(left, widestServer);
                victims.bound(workers, first, end, serverBounds);
            }
            int server = clearCheapest(workers, first, end, limit);
            if (server == SimView.NONE || growing.plan().cost >= limit) {
                return false;
            }
            victims.boundChanged(workers, first, end, serverBounds);
            left -= Math.min(left, topology.gpusOn(server));
        }
        return growing.plan().size() > 0 || victims.mayNeedNone(gpus);
    }

    /**
     * Adds the server that is cleared at the least cost to the plan, the first of equals; returns it, or none when none
     * can be cleared.
     */
    private int clearCheapest(int workers, int first, int end, double limit) {
        least = limit - growing.plan().cost;
        chosen = SimView.NONE;
        int promising = from + lowest(serverBounds, first - from, end - from, least);
        if (promising < from) {
            return SimView.NONE;
        }
        consider(promising, workers);
        for (int server = first; server < end; server++) {
            double bound = serverBounds[server - from];
            if (bound <= least && bound < Double.POSITIVE_INFINITY && server != promising) {
                consider(server, workers);
            }
        }
        if (chosen != SimView.NONE) {
            growing.add(chosen, best, least);
        }
        return chosen;
    }

    /**
     * Chooses victims on a server, unless a closer bound, which is kept while the plan leaves the server as it is,
     * exceeds the least cost.
     */
    private void consider(int server, int workers) {
        double close = victims.closeBound(server, workers);
        serverBounds[server - from] = Math.max(serverBounds[server - from], close);
        if (close > least) {
            return;
        }
        double cost = victims.choose(server, workers);
        if (cost < least || (cost == least && server < chosen)) {
            least = cost;
            chosen = server;
            best.clear();
            victims.addTo(best);
        }
    }

    /**
     * The place of the least bound, the first of equals, if that is below the limit; otherwise {@link SimView#NONE}.
     */
    private static int lowest(double[] of, int first, int end, double limit) {
        int lowest = SimView.NONE;
        double least = limit;
        for (int i = first; i < end; i++) {
            if (of[i] < least) {
                least = of[i];
                lowest = i;
            }
        }
        return lowest;
    }
}
