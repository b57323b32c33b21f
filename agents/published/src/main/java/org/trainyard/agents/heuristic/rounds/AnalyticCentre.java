package org.trainyard.agents.heuristic.rounds;

/**
 * Shares at the analytic centre of an allocation problem: finds the least level of an objective that the cluster can
 * meet, and shares for it.
 *
 * <p>Where more than one set of shares meets a level, interior-point solvers return one from the middle. This class
 * takes the analytic centre: the shares that maximise the product of all slacks, which are those above a job's need,
 * those below 1 and that of the cluster. Its optimality conditions leave one unknown, the price of a GPU, found by
 * bisection. O(jobs) per step, 200 steps each.
 */
final class AnalyticCentre {
    private static final int STEPS = 200;
    private static final double ALL = 1 - 1e-9;

    /** The least share of time of the i-th job with which the objective reaches a level; decreases with the level. */
    @FunctionalInterface
    interface Need {
        double at(int i, double level);
    }

    private final AllocationProblem problem;
    private final Need need;

    AnalyticCentre(AllocationProblem problem, Need need) {
        this.problem = problem;
        this.need = need;
    }

    /** Whether the cluster can meet the needs of all jobs. */
    boolean allows(double level) {
        double gpus = 0;
        for (int i = 0; i < problem.size(); i++) {
            double share = need.at(i, level);
            if (!(share <= 1)) {
                return false;
            }
            gpus += share * problem.gpus(i);
        }
        return gpus <= problem.clusterGpus();
    }

    /** The least level that the cluster can meet, to the last bits of a double. */
    double leastLevel() {
        double low = 1e-12;
        double high = 1e15;
        for (int step = 0; step < STEPS; step++) {
            double middle = Math.sqrt(low * high);
            if (allows(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /** The analytic centre of all shares that meet a feasible level. */
    double[] sharesFor(double level) {
        double[] needs = new double[problem.size()];
        double slack = problem.clusterGpus();
        for (int i = 0; i < needs.length; i++) {
            double share = need.at(i, level);
            needs[i] = share < ALL ? Math.max(0, share) : 1;
            slack -= needs[i] * problem.gpus(i);
        }
        if (slack <= 1e-9 * problem.clusterGpus()) {
            return needs;
        }
        double low = 1e-12;
        double high = 1e12;
        for (int step = 0; step < STEPS; step++) {
            double price = Math.sqrt(low * high);
            double left = slack;
            for (int i = 0; i < needs.length; i++) {
                left -= problem.gpus(i) * aboveNeed(needs[i], problem.gpus(i) * price);
            }
            if (left * price > 1) {
                high = price;
            } else {
                low = price;
            }
        }
        for (int i = 0; i < needs.length; i++) {
            needs[i] += aboveNeed(needs[i], problem.gpus(i) * high);
        }
        return needs;
    }

    /** The {@code u} at which {@code 1 / u - 1 / (room - u)} is the price. */
    private static double aboveNeed(double share, double price) {
        double room = 1 - share;
        double b = price * room + 2;
        return 2 * room / (b + Math.sqrt(b * b - 4 * price * room));
    }
}
