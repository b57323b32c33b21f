package org.trainyard.agents.learned.policy;

import org.trainyard.env.gym.observation.ObservationSpace;

/** Maps the observations of the agents to one action each, deterministically. */
public interface Policy extends AutoCloseable {
    /** Whether several threads may call it at once. */
    default boolean isThreadSafe() {
        return false;
    }

    /** Whether it reads only the sections of the legal actions: candidates, jobs, focus and mask. */
    default boolean readsOffersOnly() {
        return false;
    }

    /**
     * The best action of every agent in one joint state.
     *
     * @param rows {@code agents x spec.size()} floats, agent by agent
     * @param actions filled in, one per agent
     */
    void act(float[] rows, int agents, ObservationSpace spec, int[] actions);

    /** Frees its weights where they are outside the heap. */
    @Override
    default void close() {}
}
