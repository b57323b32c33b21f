package org.trainyard.agents.heuristic.rounds;

/**
 * Finds shares that suffice for a level of some objective: the least level that a cluster allows, and shares for it.
 *
 * <p>Where more than one set of shares allows a level, solvers of interior-point kind give one from the middle. We take the analytic
 * centre: the shares that maximise the product of all slacks, which are those above a job's need, those below 1 and that of the
 * cluster. Its conditions leave one unknown, the price of a GPU, found by bisection. O(jobs) per step, 200 steps each.
 */
final class AnalyticCentre {
    private static final int STEPS = 200;
    private static final double ALL = 1 - 1e-9;

    /** What part of the time the i-th job must run at least for the objective to reach a level; falls as the level rises. */
    @FunctionalInterface
    interface Need {
        double at(int i, double level);
    }

    private final AllocationProblem contest;
    private final Need need;

    AnalyticCentre(AllocationProblem contest, Need need) {
        this.contest = contest;
        this.need = need;
    }

    /** Whether the cluster has time for all needs. */
    boolean allows(double level) {
        double gpus = 0;
        for (int i = 0; i < contest.size(); i++) {
            double share = need.at(i, level);
            if (!(share <= 1)) {
                return false;
            }
            gpus += share * contest.gpus(i);
        }
        return gpus <= contest.clusterGpus();
    }

    /** The least level the cluster allows, to the last bits of a double. */
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

    /** The shares in the middle of all that suffice for a level that is allowed. */
    double[] sharesFor(double level) {
        double[] needs = new double[contest.size()];
        double slack = contest.clusterGpus();
        for (int i = 0; i < needs.length; i++) {
            double share = need.at(i, level);
            needs[i] = share < ALL ? Math.max(0, share) : 1;
            slack -= needs[i] * contest.gpus(i);
        }
        if (slack <= 1e-9 * contest.clusterGpus()) {
            return needs;
        }
        double low = 1e-12;
        double high = 1e12;
        for (int step = 0; step < STEPS; step++) {
            double price = Math.sqrt(low * high);
            double left = slack;
            for (int i = 0; i < needs.length; i++) {
                left -= contest.gpus(i) * aboveNeed(needs[i], contest.gpus(i) * price);
            }
            if (left * price > 1) {
                high = price;
            } else {
                low = price;
            }
        }
        for (int i = 0; i < needs.length; i++) {
            needs[i] += aboveNeed(needs[i], contest.gpus(i) * high);
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
