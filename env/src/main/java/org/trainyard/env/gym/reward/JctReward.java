package org.trainyard.env.gym.reward;

import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.simulation.SimView;

/** Minus one per hour and job in the system: the domains' rewards of an episode add up to minus the sum of all JCTs, in hours. */
public record JctReward() implements Reward {
    @Override
    public void rate(SimView view, DomainQueues queues, double[] perHour) {
        for (int domain = 0; domain < perHour.length; domain++) {
            perHour[domain] = -queues.inSystem(domain);
        }
    }

    @Override
    public double perHour(SimView view) {
        return -view.waitingCount() - view.runningCount();
    }
}
