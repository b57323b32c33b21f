package org.trainyard.agents.heuristic.rounds;

import java.util.HashMap;
import java.util.Map;

/**
 * Themis' objective as Gavel has it: the largest ratio of a job's finish time to its finish time with an equal part of the cluster is as
 * small as can be.
 *
 * <p>Sources: K. Mahajan et al.: Themis: fair and efficient GPU cluster scheduling, NSDI 2020; D. Narayanan et al.: Heterogeneity-aware
 * cluster scheduling policies for deep learning workloads, OSDI 2020, on GPUs of one kind, as Shockwave's artifact runs it. As there, a
 * job's time alone so far is what its lost steps would have taken, and steps that a larger batch does away with count as steps done.
 * Our deviation: (1) bisection instead of a cone programme, and where its solution is not unique {@link AnalyticCentre} chooses.
 */
public final class FinishTimeFairness implements AllocationPolicy {
    /** What a job had to do when shares were last made, and how fast its equal part would do it. */
    private record Before(double aloneSeconds, double stepsLeft, double aloneStepsPerSecond) {}

    private final Map<Integer, Before> before = new HashMap<>();

    @Override
    public double[] of(AllocationProblem contest) {
        double[] aloneSeconds = new double[contest.size()];
        for (int i = 0; i < aloneSeconds.length; i++) {
            double equalPart = Math.min(1, (double) contest.clusterGpus() / contest.size() / contest.gpus(i));
            double rate = contest.stepsPerSecond(i) * equalPart;
            Before last = before.get(contest.job(i));
            double soFar = last == null
                    ? 0
                    : last.aloneSeconds() + (last.stepsLeft() - contest.stepsLeft(i)) / last.aloneStepsPerSecond();
            before.put(contest.job(i), new Before(soFar, contest.stepsLeft(i), rate));
            aloneSeconds[i] = soFar + contest.stepsLeft(i) / rate;
        }
        AnalyticCentre centre = new AnalyticCentre(contest, (i, ratio) -> {
            double mayTake = ratio * aloneSeconds[i] - contest.ageSeconds(i);
            return mayTake > 0 ? contest.secondsLeft(i) / mayTake : Double.POSITIVE_INFINITY;
        });
        return centre.sharesFor(centre.leastLevel());
    }
}
