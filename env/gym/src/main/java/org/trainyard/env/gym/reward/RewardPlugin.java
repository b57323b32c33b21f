package org.trainyard.env.gym.reward;

import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.topology.Topology;

/**
 * A reward from outside the project, which configs name as {@code reward: {type: Plugin, name: NAME}}.
 *
 * <p>A jar offers it by a public class with a public constructor without arguments, whose name stands in its file
 * {@code META-INF/services/org.trainyard.env.gym.reward.RewardPlugin}.
 */
public interface RewardPlugin {
    String name();

    /** Description of the reward, a line. */
    String description();

    /**
     * A new instance, for one thread.
     *
     * @param belief the interference model of the agents, not that of the simulator
     */
    Reward create(Topology topology, InterferenceModel belief);
}
