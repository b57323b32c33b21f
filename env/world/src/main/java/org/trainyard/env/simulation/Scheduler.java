package org.trainyard.env.simulation;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.JobSpec;

/**
 * A scheduling policy. At one instant it is asked for decisions until it answers {@link Decision.Wait}.
 *
 * <p>An instance serves one run and may keep state; every run gets a new instance.
 */
public interface Scheduler {
    Decision decide(SimView view);

    /**
     * Why the scheduler never starts a job, not even on the empty cluster; null where it may, or does not know before a
     * run. A scheduler that knows turns such a job away when it is submitted.
     */
    default @Nullable String refusal(JobSpec job) {
        return null;
    }

    /**
     * Whether the decisions so far need no other one to make sense, so that the next may come later and in another
     * state. A scheduler that does not know says no.
     */
    default boolean isBetweenPlans() {
        return false;
    }
}
