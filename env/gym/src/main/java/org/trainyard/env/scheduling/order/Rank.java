package org.trainyard.env.scheduling.order;

import org.trainyard.env.simulation.SimView;

/**
 * The key by which a scheduler orders jobs: lowest first, ties by submission. The rank of a waiting job is constant.
 */
@FunctionalInterface
public interface Rank {
    double of(SimView view, int job);
}
