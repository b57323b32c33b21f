package org.trainyard.env.scheduling.preemption;

import org.trainyard.env.topology.Topology;

/**
 * The search for the servers of a range that are cleared for a beneficiary: on the fewest racks, one rack after another at the least cost, where that can be,
 * and else anywhere in the range. The racks need not be the best together: the search is greedy.
 */
final class RoomSearch {
    /** Costs whose ratio is less than this may be equal but for rounding. */
    private static final double ALIKE = 1 + 1e-9;

    private final int widestServer;
    /** The first server of each rack in the range, and the end of the range; no rack when plans need not keep to racks. */
    private final int[] begins;
    /** GPUs by rack, of the servers in the range. */
    private final int[] gpusIn;

    private final int from;
    private final int to;
    private int widestRack;
    /** By rack, in the search for one: a lower bound on the cost of the plan that clears it, until that is searched for, and the cost of that plan. */
    private final double[] bounds;

    private final double[] costs;
    /** By rack, whether its bound is a close one. */
    private final boolean[] isClose;

    private final PreemptionPlan nothing = new PreemptionPlan();
    /** The plan extended by the cheapest rack so far. */
    private final PreemptionPlan extended = new PreemptionPlan();

    /**
     * @param from first server of the range
     * @param to first server after the range
     * @param keepsToRacks whether a plan keeps to the fewest racks where they can be cleared
     */
    RoomSearch(Topology topology, int from, int to, boolean keepsToRacks) {
        this.from = from;
        this.to = to;
        widestServer = topology.widestServer();
        int first = topology.rackOf(from);
        gpusIn = new int[keepsToRacks ? topology.rackOf(to - 1) - first + 1 : 0];
        begins = new int[gpusIn.length + 1];
        bounds = new double[gpusIn.length];
        costs = new double[gpusIn.length];
        isClose = new boolean[gpusIn.length];
        for (int rack = 0; rack < gpusIn.length; rack++) {
            begins[rack] = Math.max(from, topology.firstServer(first + rack));
        }
        begins[gpusIn.length] = to;
        for (int rack = 0; rack < gpusIn.length; rack++) {
            for (int server = begins[rack]; server < begins[rack + 1]; server++) {
                gpusIn[rack] += topology.gpusOn(server);
            }
            widestRack = Math.max(widestRack, gpusIn[rack]);
        }
    }

    /**
     * Fills a plan with the cheapest that is found; returns whether there is a plan with victims.
     *
     * @param eviction with an empty plan, and again when the search is over
     * @param gpus that the beneficiary needs
     * @param limit what a plan costs less than; with a finite one, plans that keep to racks are looked for there alone
     */
    boolean find(ServerEviction eviction, int gpus, double limit, PreemptionPlan cheapest) {
        // A gang on one server keeps to a rack anyway.
        boolean keeps = gpusIn.length > 0 && gpus > widestServer;
        boolean isFound = (keeps && findByRack(eviction, gpus, limit, cheapest))
                || ((!keeps || limit == Double.POSITIVE_INFINITY) && findAnywhere(eviction, gpus, limit, cheapest));
        eviction.resume(nothing);
        return isFound && cheapest.size() > 0;
    }

    private boolean findAnywhere(ServerEviction eviction, int gpus, double limit, PreemptionPlan cheapest) {
        cheapest.clear();
        eviction.resume(nothing);
        boolean isFound = eviction.clear(gpus, from, to, limit);
        if (isFound) {
            cheapest.copy(eviction.plan());
        }
        return isFound;
    }

    /** Fills a plan rack by rack, each time with the one that is cleared at the least cost; returns whether that is possible below the limit. */
    private boolean findByRack(ServerEviction eviction, int gpus, double limit, PreemptionPlan cheapest) {
        cheapest.clear();
        int left = gpus;
        while (left > 0) {
            int part = Math.min(left, widestRack);
            if (!findRack(eviction, part, limit, cheapest)) {
                return false;
            }
            cheapest.copy(extended);
            left -= part;
        }
        return true;
    }

    /** Finds the plan extended by the rack that is cleared at the least cost, the first of equals; returns whether one costs less than a limit in all. Racks are searched in the order of bounds on their costs, as far as these do not exceed the least cost; a bound is made closer before its rack is searched. */
    private boolean findRack(ServerEviction eviction, int gpus, double most, PreemptionPlan known) {
        boundRacks(eviction, gpus, known);
        double limit = most;
        boolean isFound = false;
        for (int rack = mostPromising(limit); rack >= 0; rack = mostPromising(limit)) {
            eviction.resume(known);
            if (!isClose[rack]) {
                isClose[rack] = true;
                double close = eviction.leastCost(gpus, begins[rack], begins[rack + 1], true);
                bounds[rack] = Math.max(bounds[rack], close);
                continue;
            }
            bounds[rack] = Double.POSITIVE_INFINITY;
            if (eviction.clear(gpus, begins[rack], begins[rack + 1], limit)) {
                costs[rack] = eviction.plan().cost;
                double withEquals = costs[rack] * ALIKE + Double.MIN_NORMAL;
                if (withEquals < limit) {
                    limit = withEquals;
                    isFound = true;
                    extended.copy(eviction.plan());
                }
            }
        }
        if (isFound) {
            chooseOfAlike(eviction, gpus, known, limit);
        }
        return isFound;
    }

    private void boundRacks(ServerEviction eviction, int gpus, PreemptionPlan known) {
        eviction.resume(known);
        eviction.leastCosts(gpus, begins, bounds);
        for (int rack = 0; rack < gpusIn.length; rack++) {
            costs[rack] = Double.POSITIVE_INFINITY;
            isClose[rack] = false;
            if (gpusIn[rack] < gpus) {
                bounds[rack] = Double.POSITIVE_INFINITY;
            }
        }
    }

    /** The rack with the least bound, the first of equals, if that is below the limit; otherwise a negative number. */
    private int mostPromising(double limit) {
        int promising = -1;
        double lowest = limit;
        for (int rack = 0; rack < bounds.length; rack++) {
            if (bounds[rack] < lowest) {
                lowest = bounds[rack];
                promising = rack;
            }
        }
        return promising;
    }

    /** Searches racks whose costs differ by rounding at most once more, one after another, each for a plan that costs less. */
    private void chooseOfAlike(ServerEviction eviction, int gpus, PreemptionPlan known, double limit) {
        int alike = 0;
        for (double cost : costs) {
            alike += cost < limit ? 1 : 0;
        }
        double least = Double.POSITIVE_INFINITY;
        for (int rack = 0; rack < costs.length && alike > 1; rack++) {
            if (costs[rack] < limit) {
                eviction.resume(known);
                if (eviction.clear(gpus, begins[rack], begins[rack + 1], least)) {
                    least = eviction.plan().cost;
                    extended.copy(eviction.plan());
                }
            }
        }
    }
}
