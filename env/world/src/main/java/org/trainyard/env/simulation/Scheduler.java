package org.trainyard.env.simulation;

/**
 * A scheduling policy. At one instant it is asked for decisions until it answers {@link Decision.Wait}.
 *
 * <p>An instance serves one run and may keep state; every run gets a new instance.
 */
public interface Scheduler {
    Decision decide(SimView view);

    /**
     * Whether the decisions so far need no other one to make sense, so that the next may come later and in another
     * state. A scheduler that does not know says no.
     */
    default boolean isBetweenPlans() {
        return false;
    }
}
