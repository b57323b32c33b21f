package org.trainyard.agents.heuristic.rounds;

/**
 * Gavel's makespan policy, called OSSP in Shockwave's figures: shares that minimise the time until all present jobs are
 * done.
 *
 * <p>Source: D. Narayanan et al.: Heterogeneity-aware cluster scheduling policies for deep learning workloads, OSDI
 * 2020, on GPUs of one kind, as Shockwave's artifact runs it: bisection of the time from 100 s to 10^6 s to a precision
 * of 5 %, and any shares that allow it. Our deviation: (1) {@link AnalyticCentre} chooses the shares, instead of a
 * solver of cone programmes.
 */
public final class MinTotalDuration implements AllocationPolicy {
    private static final double PRECISION = 1.05;

    @Override
    public double[] of(AllocationProblem problem) {
        AnalyticCentre centre = new AnalyticCentre(problem, (i, seconds) -> problem.secondsLeft(i) / seconds);
        double low = 100;
        double high = 1e6;
        while (!centre.allows(high)) {
            low = high;
            high *= 10;
        }
        double shortest = high;
        while (PRECISION * low < high) {
            double middle = (low + high) / 2;
            if (centre.allows(middle)) {
                high = middle;
                shortest = middle;
            } else {
                low = middle;
            }
        }
        return centre.sharesFor(shortest);
    }
}
