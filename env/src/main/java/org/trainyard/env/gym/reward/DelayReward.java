package org.trainyard.env.gym.reward;

import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * Minus one per hour and waiting job, and minus the part of its ideal speed that each running job loses by its
 * placement and its neighbours.
 *
 * <p>Where the speeds are right, the rewards of an episode add up to minus the sum of all JCTs beyond the ideal run
 * times, in hours. That is the objective of {@link JctReward}, because no scheduler changes the ideal run times;
 * but the effect of a start or of a poor placement is rewarded at once instead of at the end of the job, which
 * makes credit assignment easier. Speeds are predicted by a model of interference and not taken from the simulator,
 * as in X. Zhao, C. Wu: Large-scale machine learning cluster scheduling via multi-agent graph reinforcement
 * learning (arXiv 2112.13354, 2021), where the reward is the normalised training speed.
 */
public final class DelayReward implements Reward {
    private final JobSpeeds speeds;

    public DelayReward(JobSpeeds speeds) {
        this.speeds = speeds;
    }

    /** With speeds by the belief. */
    public DelayReward(Topology topology, InterferenceModel belief) {
        this(JobSpeeds.believed(topology, belief));
    }

    @Override
    public double perHour(SimView view, int job) {
        return view.state(job) == JobState.WAITING ? -1 : speeds.of(view, job) - 1;
    }
}
