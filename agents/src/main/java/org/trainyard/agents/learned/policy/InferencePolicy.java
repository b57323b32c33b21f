package org.trainyard.agents.learned.policy;

import org.trainyard.env.simulation.Scheduler;

/** A policy whose weights stay as they are, which schedules. */
public interface InferencePolicy extends AutoCloseable {
    /** Whether several threads may use its schedulers at once. */
    default boolean isThreadSafe() {
        return false;
    }

    /** A scheduler for one run; the policy stays the caller's. */
    Scheduler scheduler(Deployment deployment);

    /** The same with a listener to its choices; a policy that does not score them tells nothing. */
    default Scheduler scheduler(Deployment deployment, ChoiceListener listener) {
        return scheduler(deployment);
    }

    /** Frees its weights where they are outside the heap. */
    @Override
    default void close() {}
}
