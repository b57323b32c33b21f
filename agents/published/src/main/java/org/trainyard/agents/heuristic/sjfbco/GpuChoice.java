package org.trainyard.agents.heuristic.sjfbco;

import org.jspecify.annotations.Nullable;

/** Chooses the GPUs of a gang among those whose booked time stays under a cap. */
@FunctionalInterface
interface GpuChoice {
    /**
     * Returns the GPUs that the gang needs, each booked for at most {@code capSeconds} with the gang, or null when
     * there are not enough. Books nothing.
     */
    int @Nullable [] choose(Bookings bookings, Gang gang, double capSeconds);
}
