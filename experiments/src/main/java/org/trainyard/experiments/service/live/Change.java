package org.trainyard.experiments.service.live;

import org.trainyard.env.simulation.LiveCluster;

/**
 * What an event changes in the state of a cluster.
 *
 * @param timeNanos when it happened
 */
record Change(long timeNanos, Effect effect) {
    /** The change itself; it refuses what is impossible and changes nothing then. */
    @FunctionalInterface
    interface Effect {
        void on(LiveCluster cluster);
    }

    void applyTo(LiveCluster cluster) {
        cluster.moveTo(timeNanos);
        effect.on(cluster);
    }
}
