package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.BitSet;
import java.util.Set;

/**
 * An advance reservation of whole nodes.
 *
 * @param nodes its nodes, by index
 * @param users who may use it
 * @param maintenance whether it is a maintenance window
 */
public record SlurmReservation(
        String name, BitSet nodes, long startSecond, long endSecond, Set<String> users, boolean maintenance) {
    /** Whether it is open at some time of a span. */
    public boolean overlaps(long from, long to) {
        return startSecond < to && endSecond > from;
    }
}
