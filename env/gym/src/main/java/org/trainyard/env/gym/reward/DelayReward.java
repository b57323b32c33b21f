package org.trainyard.env.gym.reward;

import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;

/**
 * Minus one per hour and waiting job, and minus the part of its ideal speed that each running job loses by its
 * placement and its neighbours.
 *
 * <p>Where the speeds are right, the rewards of an episode add up to minus the sum of all JCTs beyond the ideal run
 * times, in hours. That is the objective of {@link JctReward}, because no scheduler changes the ideal run times; but
 * the effect of a start or of a poor placement is rewarded at once instead of at the end of the job, which makes credit
 * assignment easier. Speeds are predicted by a model of interference and not taken from the simulator, as in X. Zhao,
 * C. Wu: Large-scale machine learning cluster scheduling via multi-agent graph reinforcement learning (arXiv
 * 2112.13354, 2021), where the reward is the normalised training speed.
 *
 * <p>The times of restarts and of work that is done again are part of that sum where they are charged: at the
 * preemption that causes them.
 */
public final class DelayReward implements Reward {
    private final JobSpeeds speeds;
    private final boolean chargesRestarts;

    /** @param chargesRestarts whether a preemption costs the time of the restart and of the lost work */
    public DelayReward(JobSpeeds speeds, boolean chargesRestarts) {
        this.speeds = speeds;
        this.chargesRestarts = chargesRestarts;
    }

    @Override
    public double perHour(SimView view, int job) {
        return view.state(job) == JobState.WAITING ? -1 : speeds.of(view, job) - 1;
    }

    @Override
    public double ofPreemption(SimView view, int job) {
        return chargesRestarts ? -(view.restartSeconds(job) + view.unsavedSeconds(job)) / 3600 : 0;
    }
}
