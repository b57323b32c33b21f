package org.trainyard.env.simulation;

/**
 * Anything that decides. Asked again and again at one instant until it answers {@link Decision.Wait}.
 *
 * <p>An instance serves one run and may keep state; a fresh one is made for the next.
 */
public interface Scheduler {
    Decision decide(SimView view);
}
