package org.trainyard.env.gym.reward;

import java.util.Arrays;
import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.simulation.SimView;

/**
 * Minus the delay of each job over its predicted run time: {@link DelayReward} with a weight for each job, so that an hour of waiting
 * costs more for a job of minutes than for a job of days.
 *
 * <p>Where predictions and speeds are right, the rewards of an episode add up to minus the sum over jobs of (slowdown - 1); a slowdown is
 * JCT over ideal run time. Run times below {@value #LEAST_SECONDS} s count as {@value #LEAST_SECONDS} s, or jobs of seconds would
 * dominate (bounded slowdown: D. Feitelson, L. Rudolph: Metrics and benchmarking for parallel job scheduling, 1998; the bound is ours).
 */
public final class SlowdownReward implements Reward {
    public static final double LEAST_SECONDS = 60;
    private static final double SECONDS_PER_HOUR = 3600;

    private final JobSpeeds speeds;

    public SlowdownReward(JobSpeeds speeds) {
        this.speeds = speeds;
    }

    @Override
    public void rate(SimView view, DomainQueues queues, double[] perHour) {
        Arrays.fill(perHour, 0);
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            perHour[queues.domainOf(job)] -= weight(view, job);
        }
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            perHour[queues.domainOf(job)] -= weight(view, job) * (1 - speeds.of(view, job));
        }
    }

    @Override
    public double perHour(SimView view) {
        double sum = 0;
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            sum -= weight(view, job);
        }
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            sum -= weight(view, job) * (1 - speeds.of(view, job));
        }
        return sum;
    }

    private static double weight(SimView view, int job) {
        return SECONDS_PER_HOUR / Math.max(LEAST_SECONDS, view.predictedSeconds(job));
    }
}
