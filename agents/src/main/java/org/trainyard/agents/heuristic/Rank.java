package org.trainyard.agents.heuristic;

import org.trainyard.env.simulation.SimView;

/** What a scheduler orders jobs by: the lowest goes first, ties in order of submission. It stands still while a job waits. */
@FunctionalInterface
interface Rank {
    double of(SimView view, int job);
}
