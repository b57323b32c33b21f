package org.trainyard.env.simulation;

/**
 * A scheduling policy. At one instant it is asked for decisions until it answers {@link Decision.Wait}.
 *
 * <p>An instance serves one run and may keep state; every run gets a new instance.
 */
public interface Scheduler {
    Decision decide(SimView view);
}
