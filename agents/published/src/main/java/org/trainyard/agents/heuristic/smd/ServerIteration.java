package org.trainyard.agents.heuristic.smd;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.synchronisation.LayerOverlap;
import org.trainyard.env.synchronisation.ParameterServer;

/**
 * The iteration time of a job with workers and parameter servers as a sum of ratios, {@code c + a / w + b w / p}, of
 * which the second may hide behind the first ({@link LayerOverlap}).
 *
 * <p>Source: SMD (2105.13855), the shape also of Optimus. The terms: compute {@code fb B / w}, transfers {@code 2 g w /
 * (p beta)}, updates {@code up w / p}.
 *
 * @param secondsPerSample forward and backward, seconds
 * @param batch global batch, samples; at most so many workers
 * @param gradientBytes size of the gradients
 * @param bytesPerSecond bandwidth of a server
 * @param updateSeconds time of an update per worker of a server, seconds
 * @param constantSeconds overhead, seconds
 * @param layers null when nothing overlaps
 */
public record ServerIteration(
        double secondsPerSample,
        int batch,
        double gradientBytes,
        double bytesPerSecond,
        double updateSeconds,
        double constantSeconds,
        @Nullable LayerOverlap layers) {
    /**
     * The iteration of a plan whose workers and servers are on different machines; gradients count by sample, so that
     * one sample per worker takes as long as in the plan. With {@code hosts} it is the plan's own time.
     */
    static ServerIteration of(ParameterServer plan) {
        return new ServerIteration(
                plan.sampleSeconds(),
                plan.batch(),
                plan.gradientBytes() / plan.batch(),
                plan.acrossBytesPerSecond(),
                plan.hosts() == null ? 0 : plan.hosts().updateSeconds(),
                0,
                plan.hosts() == null ? null : plan.hosts().layers());
    }

    /** Seconds of an iteration with so many workers and servers. */
    double seconds(int workers, int servers) {
        double compute = secondsPerSample * batch / workers;
        double exchange = 2 * gradientBytes * workers / (servers * bytesPerSecond) + updateSeconds * workers / servers;
        return LayerOverlap.iterationSeconds(layers, compute, exchange) + constantSeconds;
    }
}
