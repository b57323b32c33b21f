package org.trainyard.agents.heuristic.rounds;

import java.util.HashMap;
import java.util.Map;

/**
 * Themis' objective as Gavel implements it: minimises the largest ratio of a job's finish time to its finish time on an
 * equal share of the cluster.
 *
 * <p>Sources: K. Mahajan et al.: Themis: fair and efficient GPU cluster scheduling, NSDI 2020; D. Narayanan et al.:
 * Heterogeneity-aware cluster scheduling policies for deep learning workloads, OSDI 2020, on GPUs of one kind, as
 * Shockwave's artifact runs it. As there, the time that a job would have spent alone so far is computed from its
 * completed steps, and steps saved by a larger batch count as completed. Our deviation: (1) bisection instead of a cone
 * programme, and where its solution is not unique {@link AnalyticCentre} chooses.
 */
public final class FinishTimeFairness implements AllocationPolicy {
    /**
     * Remaining steps and equal-share throughput of a job when shares were last computed, and its time alone until
     * then.
     */
    private record LastRound(double aloneSeconds, double stepsLeft, double aloneStepsPerSecond) {}

    private final Map<Integer, LastRound> lastRounds = new HashMap<>();

    @Override
    public double[] of(AllocationProblem problem) {
        double[] aloneSeconds = new double[problem.size()];
        for (int i = 0; i < aloneSeconds.length; i++) {
            double equalPart = Math.min(1, (double) problem.clusterGpus() / problem.size() / problem.gpus(i));
            double rate = problem.stepsPerSecond(i) * equalPart;
            LastRound last = lastRounds.get(problem.job(i));
            double soFar = last == null
                    ? 0
                    : last.aloneSeconds() + (last.stepsLeft() - problem.stepsLeft(i)) / last.aloneStepsPerSecond();
            lastRounds.put(problem.job(i), new LastRound(soFar, problem.stepsLeft(i), rate));
            aloneSeconds[i] = soFar + problem.stepsLeft(i) / rate;
        }
        AnalyticCentre centre = new AnalyticCentre(problem, (i, ratio) -> {
            double mayTake = ratio * aloneSeconds[i] - problem.ageSeconds(i);
            return mayTake > 0 ? problem.secondsLeft(i) / mayTake : Double.POSITIVE_INFINITY;
        });
        return centre.sharesFor(centre.leastLevel());
    }
}
