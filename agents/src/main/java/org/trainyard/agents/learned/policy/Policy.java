package org.trainyard.agents.learned.policy;

import org.trainyard.env.gym.observation.ObservationSpace;

/** Says what agents do when they see this. */
public interface Policy {
    /** Whether several threads may ask it at once. */
    default boolean isForSeveralThreads() {
        return false;
    }

    /** Whether it reads only what is on offer: candidates, jobs, focus and mask. */
    default boolean readsOffersOnly() {
        return false;
    }

    /**
     * The best action of every agent of one joint state, without drawing.
     *
     * @param rows {@code agents x spec.size()} floats, agent by agent
     * @param actions filled in, one per agent
     */
    void act(float[] rows, int agents, ObservationSpace spec, int[] actions);
}
