package org.trainyard.env.gym.reward;

import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;

/**
 * Minus the delay of each job over its predicted run time: {@link DelayReward} with a weight for each job, so that an
 * hour of waiting costs more for a job of minutes than for a job of days.
 *
 * <p>Where predictions and speeds are right, the rewards of an episode add up to minus the sum over jobs of (slowdown -
 * 1); a slowdown is JCT over ideal run time. Run times below {@value #LEAST_SECONDS} s count as {@value #LEAST_SECONDS}
 * s, or jobs of seconds would dominate (bounded slowdown: D. Feitelson, L. Rudolph: Metrics and benchmarking for
 * parallel job scheduling, 1998; the bound is ours).
 */
public final class SlowdownReward implements Reward {
    public static final double LEAST_SECONDS = 60;
    private static final double SECONDS_PER_HOUR = 3600;

    private final JobSpeeds speeds;

    public SlowdownReward(JobSpeeds speeds) {
        this.speeds = speeds;
    }

    @Override
    public double perHour(SimView view, int job) {
        double weight = SECONDS_PER_HOUR / Math.max(LEAST_SECONDS, view.predictedSeconds(job));
        return view.state(job) == JobState.WAITING ? -weight : -weight * (1 - speeds.of(view, job));
    }
}
