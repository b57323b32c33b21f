package org.trainyard.env.gym.reward;

import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * Minus one per waiting job and hour, and minus the part of its ideal speed that each running job loses by where it is and beside whom.
 *
 * <p>Where the speeds are right, an episode's total is minus the sum of all JCTs in excess of the ideal run times, in hours: the same aim
 * as {@link JctReward}, for the ideal run times are no one's doing. But what a start is worth and what a poor placement costs is paid
 * at once and not when the job ends, so it is learned much sooner. A predictor of interference is paid out, not the truth (Zhao, Wu:
 * multi-agent graph reinforcement learning for cluster scheduling, arXiv 2112.13354, 2021, who reward normalised training speed).
 */
public final class DelayReward implements Reward {
    private final JobSpeeds speeds;

    public DelayReward(JobSpeeds speeds) {
        this.speeds = speeds;
    }

    /** Of believed speeds. */
    public DelayReward(Topology topology, InterferenceModel belief) {
        this(JobSpeeds.believed(topology, belief));
    }

    @Override
    public void rate(SimView view, DomainQueues queues, double[] perHour) {
        for (int domain = 0; domain < perHour.length; domain++) {
            perHour[domain] = -queues.queued(domain);
        }
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            perHour[queues.domainOf(job)] -= 1 - speeds.of(view, job);
        }
    }
}
