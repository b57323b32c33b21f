package org.trainyard.agents.heuristic.rounds;

/**
 * Gavel's default policy, max-min fairness: maximises the smallest share of GPU time, so that with more jobs than GPUs
 * all shares are equal.
 *
 * <p>Source: D. Narayanan, K. Santhanam, F. Kazhamiaka, A. Phanishayee, M. Zaharia: Heterogeneity-aware cluster
 * scheduling policies for deep learning workloads, OSDI 2020; its policy without knowledge of throughputs, on GPUs of
 * one kind, as Shockwave's artifact runs it. Our deviation: (1) the linear programme is solved in closed form, and
 * where its solution is not unique {@link AnalyticCentre} chooses.
 */
public final class MaxMinFairness implements AllocationPolicy {
    @Override
    public double[] of(AllocationProblem problem) {
        AnalyticCentre centre = new AnalyticCentre(problem, (i, level) -> 1 / (level * problem.gpus(i)));
        return centre.sharesFor(centre.leastLevel());
    }
}
