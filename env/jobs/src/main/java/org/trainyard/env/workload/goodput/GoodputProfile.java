package org.trainyard.env.workload.goodput;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.trainyard.env.performance.ring.RateLaw;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.workload.JobSpec;

/**
 * The goodput of a training job from its first to its last iteration, where an iteration is one at the initial batch.
 *
 * <p>The job adapts its batch to its GPUs and to the noise of its gradients, which is given for equal stages of its
 * progress.
 *
 * <p>A job with such a model has the mean rate of its training on as many servers and GPUs: its times were measured
 * with communication. Deviations: its rate does not change as it trains, its servers are those it was measured on, and
 * contention counts a synchronisation for each iteration at the initial batch, which are more than there are.
 */
public final class GoodputProfile implements RateLaw {
    private record Size(int nodes, int gpus) {}

    private final ThroughputParameters throughput;
    private final BatchLimits limits;
    private final double iterations;
    private final double[] noise;
    private final Map<Size, Double> meanRates = new ConcurrentHashMap<>();

    /**
     * @param iterations length of the training, iterations at the initial batch
     * @param noise variance of the gradient over its squared norm at the initial batch, in each of the stages
     */
    public GoodputProfile(ThroughputParameters throughput, BatchLimits limits, double iterations, double... noise) {
        if (!(iterations > 0) || noise.length == 0) {
            throw new IllegalArgumentException(
                    "a training needs iterations (%s) above zero and stages (%d)".formatted(iterations, noise.length));
        }
        this.throughput = throughput;
        this.limits = limits;
        this.iterations = iterations;
        this.noise = noise.clone();
    }

    public ThroughputParameters throughput() {
        return throughput;
    }

    public BatchLimits limits() {
        return limits;
    }

    /** Length of the training, iterations at the initial batch. */
    public double iterations() {
        return iterations;
    }

    /** The noise of each stage: variance over squared norm. */
    public double[] noise() {
        return noise.clone();
    }

    /** The goodput after a part of the training. */
    public GoodputModel after(double doneIterations) {
        int stage = (int) Math.max(0, Math.min(noise.length - 1, noise.length * doneIterations / iterations));
        return stage(stage);
    }

    private GoodputModel stage(int stage) {
        return new GoodputModel(throughput, new GradientNoise(1, noise[stage]), limits);
    }

    /**
     * The mean rate over a training that stays on so many servers and GPUs, iterations per second at the initial batch.
     * GPUs beyond those that the largest batch feeds add nothing.
     */
    public double meanIterationsPerSecond(int nodes, int gpus) {
        int used = Math.min(gpus, limits.mostReplicas());
        return meanRates.computeIfAbsent(new Size(Math.min(nodes, used), used), this::meanRate);
    }

    private double meanRate(Size size) {
        double seconds = 0;
        for (int stage = 0; stage < noise.length; stage++) {
            double goodput = stage(stage).best(size.nodes(), size.gpus()).goodput();
            seconds += limits.initial() / goodput / noise.length;
        }
        return 1 / seconds;
    }

    @Override
    public double aloneRate(JobSpec job, Placement placement, RingPerformance rings) {
        int workers = placement.gpuCount();
        return workers == 0
                ? rings.ringRate(job, placement)
                : meanIterationsPerSecond(placement.serverCount(), workers) / rings.straggling(job, workers);
    }

    @Override
    public double mostIterationsPerSecond(JobSpec job, int workers, Set<ServerSpec> servers) {
        if (workers == 0) {
            return 1 / job.model().computeSeconds();
        }
        double across = workers < 2 ? 0 : meanIterationsPerSecond(2, workers);
        return Math.max(across, meanIterationsPerSecond(1, workers));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GoodputProfile profile
                && throughput.equals(profile.throughput)
                && limits.equals(profile.limits)
                && iterations == profile.iterations
                && Arrays.equals(noise, profile.noise);
    }

    @Override
    public int hashCode() {
        return 31 * throughput.hashCode() + Arrays.hashCode(noise);
    }

    @Override
    public String toString() {
        return "%s iterations, %s, %s, noise %s".formatted(iterations, throughput, limits, Arrays.toString(noise));
    }
}
