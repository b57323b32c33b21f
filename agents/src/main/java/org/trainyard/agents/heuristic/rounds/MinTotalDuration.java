package org.trainyard.agents.heuristic.rounds;

/**
 * Gavel's makespan policy, called OSSP in Shockwave's figures: shares with which all jobs of now would be done as soon as can be.
 *
 * <p>Source: D. Narayanan et al.: Heterogeneity-aware cluster scheduling policies for deep learning workloads, OSDI 2020, on GPUs of one
 * kind, as Shockwave's artifact runs it: the time is halved from 100 s to 10^6 s until it is known to 5 %, and any shares that allow it
 * will do. Our deviation: (1) {@link AnalyticCentre} chooses which, instead of a solver of cone programmes.
 */
public final class MinTotalDuration implements AllocationPolicy {
    private static final double PRECISION = 1.05;

    @Override
    public double[] of(AllocationProblem contest) {
        AnalyticCentre centre = new AnalyticCentre(contest, (i, seconds) -> contest.secondsLeft(i) / seconds);
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
