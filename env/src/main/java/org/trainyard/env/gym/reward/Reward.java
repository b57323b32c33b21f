package org.trainyard.env.gym.reward;

import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.simulation.SimView;

/**
 * What the agents are paid: a running total per domain, of which a step is paid the difference.
 *
 * <p>Between two instants nothing changes but time, so a reward is given as a flow; the environment integrates it exactly.
 */
public interface Reward {
    /** Writes to {@code perHour} what each domain earns per simulated hour in the state of now. */
    void rate(SimView view, DomainQueues queues, double[] perHour);
}
