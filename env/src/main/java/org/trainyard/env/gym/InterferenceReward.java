package org.trainyard.env.gym;

import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.RingPerformance;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * {@link JctReward}, less {@code weight} for every hour of progress that a predictor of interference says running jobs lose to their
 * neighbours: {@code sum over the domain's running jobs of (1 - 1/slowdown)}.
 *
 * <p>Real samples of what arbitrary co-locations cost are scarce, so the predictor is paid out, not the truth (Zhao, Wu: multi-agent
 * graph reinforcement learning for cluster scheduling, arXiv 2112.13354, 2021). Deviation 1: the paper rewards normalised
 * training speed; we keep the sum of JCTs as the aim and use the predictor to say at once what a co-location will cost.
 */
public final class InterferenceReward implements Reward {
    private final JctReward jct = new JctReward();
    private final PerformanceModel belief;
    private final double weight;

    public InterferenceReward(Topology topology, InterferenceModel belief, double weight) {
        this.belief = new RingPerformance(topology, belief);
        this.weight = weight;
    }

    @Override
    public void flow(SimView view, Dispatcher dispatcher, double[] perHour) {
        jct.flow(view, dispatcher, perHour);
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            double slowdown = belief.slowdown(view.job(job), view.placement(job), view);
            perHour[dispatcher.queues().domainOf(job)] -= weight * (1 - 1 / slowdown);
        }
    }
}
