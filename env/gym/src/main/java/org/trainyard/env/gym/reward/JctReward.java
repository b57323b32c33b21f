package org.trainyard.env.gym.reward;

import org.trainyard.env.simulation.SimView;

/**
 * Minus one per hour and job in the system: the domains' rewards of an episode add up to minus the sum of all JCTs, in
 * hours.
 */
public record JctReward() implements Reward {
    @Override
    public double perHour(SimView view, int job) {
        return -1;
    }

    @Override
    public double perHour(SimView view) {
        return -view.waitingCount() - view.runningCount();
    }
}
