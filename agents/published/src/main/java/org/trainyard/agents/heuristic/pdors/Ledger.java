package org.trainyard.agents.heuristic.pdors;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Use of every resource of every machine in every slot by committed schedules, and the prices that follow. */
final class Ledger {
    private static final double ROUNDING = 1e-9;

    /** By machine and resource. */
    private final double[][] capacity;
    /** By resource. */
    private final ResourcePrice[] prices;
    /** By slot, then machine and resource. */
    private final Map<Integer, double[][]> used = new HashMap<>();

    Ledger(double[][] capacity, ResourcePrice[] prices) {
        this.capacity = capacity;
        this.prices = prices.clone();
    }

    void forgetBefore(int slot) {
        used.keySet().removeIf(past -> past < slot);
    }

    /** Sets the price of each resource. */
    void reprice(ResourcePrice price) {
        Arrays.fill(prices, price);
    }

    int machines() {
        return capacity.length;
    }

    int resources() {
        return prices.length;
    }

    private double[][] at(int slot) {
        return used.computeIfAbsent(slot, none -> new double[capacity.length][prices.length]);
    }

    double used(int slot, int machine, int resource) {
        return at(slot)[machine][resource];
    }

    double free(int slot, int machine, int resource) {
        return capacity[machine][resource] - at(slot)[machine][resource];
    }

    /** The price of one process of this demand on a machine in a slot. */
    double price(int slot, int machine, double[] demand) {
        double price = 0;
        for (int r = 0; r < demand.length; r++) {
            if (demand[r] > 0) {
                price += demand[r] * prices[r].at(used(slot, machine, r), capacity[machine][r]);
            }
        }
        return price;
    }

    /** Whether a machine has room for so many workers and servers in a slot. */
    boolean fits(ServerJob job, int slot, int machine, int workers, int servers) {
        for (int r = 0; r < prices.length; r++) {
            double needed = workers * job.workerDemand()[r] + servers * job.serverDemand()[r];
            if (needed > free(slot, machine, r) + ROUNDING) {
                return false;
            }
        }
        return true;
    }

    /** Takes the resources of a job in a slot; with a factor of -1, gives them back. */
    void take(ServerJob job, int slot, SlotPlan plan, int factor) {
        double[][] now = at(slot);
        for (int machine = 0; machine < now.length; machine++) {
            for (int r = 0; r < prices.length; r++) {
                now[machine][r] += factor
                        * (plan.workers()[machine] * job.workerDemand()[r]
                                + plan.servers()[machine] * job.serverDemand()[r]);
            }
        }
    }
}
