package org.trainyard.agents.heuristic.queue;

import org.trainyard.env.simulation.SimView;

/**
 * The running jobs in the order in which they are preempted: highest rank first, of equal rank the latest submitted
 * first.
 */
public interface RunningOrder {
    /** Goes to the first job at this instant. */
    void begin(SimView view);

    /**
     * The next job, when its rank is above the limit; else {@link SimView#NONE}. Limits must not fall between two calls
     * of {@link #begin}.
     */
    int next(SimView view, double limit);

    /**
     * Whether the order is kept from one instant to the next, so that its first jobs cost less than O(running jobs).
     */
    default boolean isKept() {
        return false;
    }
}
