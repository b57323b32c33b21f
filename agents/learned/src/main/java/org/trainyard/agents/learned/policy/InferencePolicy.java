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

    /**
     * Returns a scheduler for one run that reports its scored choices to the listener; a policy that scores no
     * choices reports none.
     */
    default Scheduler scheduler(Deployment deployment, ChoiceListener listener) {
        return scheduler(deployment);
    }

    /** Frees its weights where they are outside the heap. */
    @Override
    default void close() {}
}
