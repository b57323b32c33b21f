package org.trainyard.agents.learned.adversary;

import java.util.List;

/**
 * State that a player of an {@link AllocationGame} knows when it chooses.
 *
 * @param figures that a network reads, about 0..1
 */
record PlayerState(int row, List<Double> figures) {
    PlayerState {
        figures = List.copyOf(figures);
    }
}
