package org.trainyard.env.gym.reward;

import java.util.Arrays;
import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.simulation.SimView;

/**
 * Minus the delay of every job over its own predicted run time, as it is incurred: an hour of waiting or of lost speed weighs more for
 * a job that needs minutes than for one that needs days.
 *
 * <p>Where predictions and speeds are right, an episode's total is minus the sum over jobs of (slowdown - 1), the slowdown being JCT over
 * ideal run time. Run times below {@value #LEAST_SECONDS} s count as that, lest jobs of seconds be all that matters (bounded slowdown: D.
 * Feitelson, L. Rudolph: Metrics and benchmarking for parallel job scheduling, 1998; the bound is ours).
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

    private static double weight(SimView view, int job) {
        return SECONDS_PER_HOUR / Math.max(LEAST_SECONDS, view.predictedSeconds(job));
    }
}
