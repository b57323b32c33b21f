package org.trainyard.env.gym.reward;

import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.simulation.SimView;

/**
 * The reward of the agents as a rate over simulated time, which the environment integrates exactly: between two events nothing but
 * time changes. {@link org.trainyard.env.gym.EnvChecker} checks an implementation.
 */
public interface Reward {
    /** Overwrites {@code perHour} with the reward of each domain per simulated hour in the present state; a function of that state. */
    void rate(SimView view, DomainQueues queues, double[] perHour);

    /** The reward of all domains together per simulated hour in the present state, for learners that do not divide it. */
    double perHour(SimView view);
}
