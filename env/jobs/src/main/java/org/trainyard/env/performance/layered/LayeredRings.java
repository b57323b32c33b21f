package org.trainyard.env.performance.layered;

import java.util.List;
import org.trainyard.env.Invalid;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Link;

/**
 * An all-reduce as nested rings, one per level of the data centre and layer of the model: for each level of {@code n}
 * units {@code 2 (n-1)/n x bytes / bandwidth} in all, and {@code 2 (n-1) x latency} for each layer.
 *
 * <p>A closed form in place of the analytical network simulator behind Dally (delay timers and network sensitivity),
 * with nothing overlapped: an upper bound. Models with many small layers are bound by latency, unlike with one ring
 * over all gradients as in {@link RingPerformance}.
 *
 * @param levels those that the placement spans, innermost first; when units do not divide evenly, one flat ring of all
 *     GPUs
 */
public record LayeredRings(List<Level> levels) {
    public LayeredRings {
        levels = List.copyOf(levels);
    }

    /**
     * A ring on one level.
     *
     * @param units number of GPUs, sockets, servers or racks in the ring, at least one
     * @param link link between them
     */
    public record Level(int units, Link link) {
        public Level {
            Invalid.when(units < 1, "a ring joins at least 1 unit, not (%d)", units);
        }

        private double seconds(int layers, double bytes) {
            double steps = 2.0 * (units - 1);
            return steps / units * bytes / link.bytesPerSecond() + layers * steps * link.latencyNanos() * 1e-9;
        }
    }

    /** Time to all-reduce the gradients of all layers one after the other, seconds. */
    public double allReduceSeconds(int layers, double gradientBytes) {
        double seconds = 0;
        for (Level level : levels) {
            seconds += level.seconds(layers, gradientBytes);
        }
        return seconds;
    }
}
