package org.trainyard.agents.heuristic.pdors;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.linear.BoxedProgram;
import org.trainyard.agents.heuristic.linear.BoxedProgram.Row;

/**
 * The cheapest machines on which a job trains a number of samples in one slot: all on one machine at the bandwidth
 * inside, or spread at the bandwidth across.
 *
 * <p>Source: PD-ORS (2108.02917). The spread case is a mixed packing and covering integer programme: its linear
 * relaxation is scaled, rounded at random some times, and the cheapest feasible result is kept. Our deviations: (1) 20
 * attempts instead of 5,000; (2) machines filled in order of price compete with the rounded results, for rounding often
 * fails on few machines; (3) the relaxation is not solved where a bound on it is no cheaper than one machine; (4) from
 * {@value #MOST_MACHINES} machines with room on, the relaxation has those that are cheapest for the job.
 */
final class SlotProblem {
    private static final int ATTEMPTS = 20;
    private static final double DELTA = 0.1;
    private static final int MOST_MACHINES = 256;

    private final Ledger ledger;
    private final ServerJob job;
    private final int slot;
    private final double[] workerPrice;
    private final double[] serverPrice;
    /** Machines in the order of the price of a worker with its part of a server. */
    private final int[] byPrice;

    SlotProblem(Ledger ledger, ServerJob job, int slot) {
        this.ledger = ledger;
        this.job = job;
        this.slot = slot;
        workerPrice = new double[ledger.machines()];
        serverPrice = new double[ledger.machines()];
        byPrice = new int[ledger.machines()];
        for (int machine = 0; machine < workerPrice.length; machine++) {
            workerPrice[machine] = ledger.price(slot, machine, job.workerDemand());
            serverPrice[machine] = ledger.price(slot, machine, job.serverDemand());
            byPrice[machine] = machine;
        }
        IntArrays.mergeSort(byPrice, (a, b) -> {
            int byJoint = Double.compare(joint(a), joint(b));
            // Machines for workers or for servers alone.
            return byJoint != 0 ? byJoint : Double.compare(cheaperOf(a), cheaperOf(b));
        });
    }

    private double cheaperOf(int machine) {
        return Math.min(workerPrice[machine], serverPrice[machine]);
    }

    private double joint(int machine) {
        return workerPrice[machine] + serverPrice[machine] / job.workersPerServer();
    }

    /** The cheapest plan for so many samples, or null when they cannot be trained in this slot. */
    @Nullable SlotPlan cheapest(double samples, boolean canColocate, RandomGenerator random) {
        if (samples <= 0) {
            return SlotPlan.none(ledger.machines());
        }
        SlotPlan inside = canColocate ? onOneMachine(samples) : null;
        int workers = job.workers(samples, false);
        if (workers > job.mostWorkers() || (inside != null && workers * joint(byPrice[0]) >= inside.cost())) {
            return inside;
        }
        int mostOnOne = canColocate || workers == 1 || !job.hasServers() ? workers : workers - 1;
        SlotPlan spread = cheaper(filled(workers, mostOnOne), rounded(workers, mostOnOne, random));
        return cheaper(inside, spread);
    }

    static @Nullable SlotPlan cheaper(@Nullable SlotPlan a, @Nullable SlotPlan b) {
        return a == null || (b != null && b.cost() < a.cost()) ? b : a;
    }

    @Nullable SlotPlan onOneMachine(double samples) {
        int workers = job.workers(samples, true);
        int servers = job.servers(workers);
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int machine = 0; workers <= job.mostWorkers() && machine < ledger.machines(); machine++) {
            double cost = workers * workerPrice[machine] + servers * serverPrice[machine];
            if (cost < least && ledger.fits(job, slot, machine, workers, servers)) {
                best = machine;
                least = cost;
            }
        }
        if (best < 0) {
            return null;
        }
        int[] w = new int[ledger.machines()];
        int[] s = new int[ledger.machines()];
        w[best] = workers;
        s[best] = servers;
        return new SlotPlan(w, s, least);
    }

    /**
     * Machines filled in order of price, servers with their workers where they fit; null when there is no room.
     *
     * @param mostOnOne most workers on one machine
     */
    @Nullable SlotPlan filled(int workers, int mostOnOne) {
        int[] w = new int[ledger.machines()];
        int[] s = new int[ledger.machines()];
        int workersLeft = workers;
        int serversLeft = job.servers(workers);
        for (int i = 0; i < byPrice.length && workersLeft + serversLeft > 0; i++) {
            int machine = byPrice[i];
            while (workersLeft + serversLeft > 0) {
                boolean isServer = workersLeft == 0 || serversLeft * job.workersPerServer() >= workersLeft;
                if (!add(machine, w, s, isServer, mostOnOne)) {
                    isServer = !isServer;
                    if ((isServer ? serversLeft : workersLeft) == 0 || !add(machine, w, s, isServer, mostOnOne)) {
                        break;
                    }
                }
                workersLeft -= isServer ? 0 : 1;
                serversLeft -= isServer ? 1 : 0;
            }
        }
        return workersLeft + serversLeft > 0 ? null : priced(w, s);
    }

    private boolean add(int machine, int[] w, int[] s, boolean isServer, int mostOnOne) {
        if ((!isServer && w[machine] == mostOnOne)
                || !ledger.fits(job, slot, machine, w[machine] + (isServer ? 0 : 1), s[machine] + (isServer ? 1 : 0))) {
            return false;
        }
        (isServer ? s : w)[machine]++;
        return true;
    }

    private SlotPlan priced(int[] w, int[] s) {
        double cost = 0;
        for (int machine = 0; machine < w.length; machine++) {
            cost += w[machine] > 0 ? w[machine] * workerPrice[machine] : 0;
            cost += s[machine] > 0 ? s[machine] * serverPrice[machine] : 0;
        }
        return new SlotPlan(w, s, cost);
    }

    /**
     * The fractional optimum: workers, then servers, of each machine of {@code machines}; null when nothing is
     * feasible.
     */
    double @Nullable [] relaxation(int[] machines, int workers) {
        return new SpreadProgram(ledger, job, slot).solve(machines, workers, workerPrice, serverPrice);
    }

    /** The machines with room for a worker or a server, the cheapest first. */
    int[] candidates() {
        return Arrays.stream(byPrice)
                .filter(machine -> ledger.fits(job, slot, machine, 1, 0) || ledger.fits(job, slot, machine, 0, 1))
                .limit(MOST_MACHINES)
                .toArray();
    }

    @Nullable SlotPlan rounded(int workers, int mostOnOne, RandomGenerator random) {
        int[] machines = candidates();
        double[] fractional = relaxation(machines, workers);
        if (fractional == null) {
            return null;
        }
        // The size itself is often feasible; the factors are those of the guarantees.
        double[] factors = {
            1,
            RoundingFactor.covering(workers, 1, DELTA),
            RoundingFactor.packing(width(machines), 2 * machines.length, DELTA)
        };
        SlotPlan best = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            SlotPlan plan = draw(machines, fractional, factors[attempt % factors.length], random);
            best = isFeasible(plan, workers) && (mostOnOne == workers || plan.machines() > 1)
                    ? cheaper(best, plan)
                    : best;
        }
        return best;
    }

    /** The least ratio of what a machine has left of a resource to what one process needs of it. */
    private double width(int[] machines) {
        double width = Double.POSITIVE_INFINITY;
        for (int machine : machines) {
            for (int r = 0; r < ledger.resources(); r++) {
                double most = Math.max(job.workerDemand()[r], job.serverDemand()[r]);
                double free = ledger.free(slot, machine, r);
                width = most > 0 && free > 0 ? Math.min(width, free / most) : width;
            }
        }
        return width;
    }

    private SlotPlan draw(int[] machines, double[] fractional, double scale, RandomGenerator random) {
        int[] w = new int[ledger.machines()];
        int[] s = new int[ledger.machines()];
        for (int i = 0; i < machines.length; i++) {
            w[machines[i]] = round(scale * fractional[i], random);
            s[machines[i]] = round(scale * fractional[machines.length + i], random);
        }
        return priced(w, s);
    }

    private static int round(double value, RandomGenerator random) {
        double down = Math.floor(value);
        return (int) down + (random.nextDouble() < value - down ? 1 : 0);
    }

    boolean isFeasible(SlotPlan plan, int workers) {
        int w = plan.workerCount();
        int s = Arrays.stream(plan.servers()).sum();
        boolean isFeasible = w >= workers && w <= job.mostWorkers() && s * job.workersPerServer() >= w;
        for (int machine = 0; isFeasible && machine < plan.workers().length; machine++) {
            isFeasible = ledger.fits(job, slot, machine, plan.workers()[machine], plan.servers()[machine]);
        }
        return isFeasible;
    }

    /** The cost of a {@link #relaxation}. */
    double cost(int[] machines, double[] fractional) {
        double cost = 0;
        for (int i = 0; i < machines.length; i++) {
            cost += fractional[i] > 0 ? fractional[i] * workerPrice[machines[i]] : 0;
            double servers = fractional[machines.length + i];
            cost += servers > 0 ? servers * serverPrice[machines[i]] : 0;
        }
        return cost;
    }

    /**
     * Factors by which a fractional solution is scaled before it is rounded at random, so that all constraints of one
     * kind hold with a given probability.
     *
     * <p>Source: PD-ORS (2108.02917), re-derived from Chernoff's bounds. The cost is then at most {@code 3 G / delta}
     * times that of the fractional solution with probability {@code 1 - delta / 3}.
     */
    static final class RoundingFactor {
        private RoundingFactor() {}

        /**
         * A factor, at most 1: each packing constraint fails with probability at most {@code delta / (3 constraints)}.
         *
         * @param width least ratio of a capacity to the largest coefficient of its constraint
         */
        static double packing(double width, int constraints, double delta) {
            double l = 3 * Math.log(3 * constraints / delta) / width;
            return 1 + l / 2 - Math.sqrt(l * l / 4 + l);
        }

        /**
         * A factor, at least 1: each covering constraint fails with probability at most {@code delta / (3
         * constraints)}.
         *
         * @param width least ratio of a right-hand side to the largest coefficient of its constraint
         */
        static double covering(double width, int constraints, double delta) {
            double l = Math.log(3 * constraints / delta) / width;
            return 1 + l + Math.sqrt(l * l + 2 * l);
        }
    }

    /** The linear relaxation of the workers and servers of a job on several machines in one slot. */
    private static final class SpreadProgram {
        private final Ledger ledger;
        private final ServerJob job;
        private final int slot;

        SpreadProgram(Ledger ledger, ServerJob job, int slot) {
            this.ledger = ledger;
            this.job = job;
            this.slot = slot;
        }

        /** Workers, then servers, of each of the machines; null when nothing is feasible. */
        double @Nullable [] solve(int[] machines, int workers, double[] workerPrice, double[] serverPrice) {
            int count = machines.length;
            double[] costs = new double[2 * count];
            double[] upper = new double[2 * count];
            for (int i = 0; i < count; i++) {
                costs[i] = workerPrice[machines[i]];
                costs[count + i] = serverPrice[machines[i]];
            }
            for (int i = 0; i < costs.length; i++) {
                // A machine that lacks a resource has an infinite price.
                boolean isPossible = costs[i] < Double.POSITIVE_INFINITY;
                upper[i] = isPossible ? Double.POSITIVE_INFINITY : 0;
                costs[i] = isPossible ? costs[i] : 0;
            }
            int[] all = new int[2 * count];
            Arrays.setAll(all, i -> i);
            double[] sum = new double[count];
            Arrays.fill(sum, 1);
            double[] balance = new double[2 * count];
            Arrays.fill(balance, 0, count, -1);
            Arrays.fill(balance, count, 2 * count, job.workersPerServer());
            List<Row> rows = new ArrayList<>();
            rows.add(new Row(Arrays.copyOf(all, count), sum, workers, job.mostWorkers()));
            rows.add(new Row(all, balance, 0, Double.POSITIVE_INFINITY));
            for (int i = 0; i < count; i++) {
                for (int r = 0; r < ledger.resources(); r++) {
                    double worker = job.workerDemand()[r];
                    double server = job.serverDemand()[r];
                    if (worker > 0 || server > 0) {
                        rows.add(new Row(
                                new int[] {i, count + i},
                                new double[] {worker, server},
                                Double.NEGATIVE_INFINITY,
                                Math.max(0, ledger.free(slot, machines[i], r))));
                    }
                }
            }
            return count == 0 ? null : BoxedProgram.minimise(costs, upper, rows);
        }
    }
}
