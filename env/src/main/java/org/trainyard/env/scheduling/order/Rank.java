package org.trainyard.env.scheduling.order;

import org.trainyard.env.simulation.SimView;

/** What a scheduler orders jobs by: the lowest goes first, ties in order of submission. It stands still while a job waits. */
@FunctionalInterface
public interface Rank {
    double of(SimView view, int job);
}
