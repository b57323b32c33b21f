package org.trainyard.env.pipeline.planning;

import org.trainyard.env.pipeline.LayerProfile;

/**
 * A layout with its times, on the GPUs it was planned for.
 *
 * @param layout stages, replicas and GPUs
 * @param microBatches of one iteration
 * @param times times and schedule
 * @param iterationSeconds time of one iteration
 * @param bubbleShare part of the GPU time without work, 0..1
 * @param bottleneck kind of work that takes longest
 * @param memoryBytes on the fullest GPU
 * @param fits whether every GPU has the memory
 */
public record PipelinePlan(
        StageLayout layout,
        int microBatches,
        PipelineTimes times,
        double iterationSeconds,
        double bubbleShare,
        Bottleneck bottleneck,
        double memoryBytes,
        boolean fits) {
    /** Evaluates a layout. */
    public static PipelinePlan of(LayerProfile profile, Devices devices, StageLayout layout, int microBatches) {
        PipelineTimes times = PipelineTimes.of(profile, devices, layout, microBatches);
        return new PipelinePlan(
                layout,
                microBatches,
                times,
                times.iterationSeconds(),
                times.bubbleShare(layout),
                times.bottleneck(),
                PipelineMemory.mostBytes(profile, layout, microBatches),
                PipelineMemory.lackingBytes(profile, devices, layout, microBatches) <= 0);
    }

    /** Whether this plan is to be preferred: one that fits over one that does not, then the faster one. */
    boolean isBetterThan(PipelinePlan other) {
        return fits != other.fits ? fits : iterationSeconds < other.iterationSeconds;
    }

    /** Compute time of the iteration on one GPU of speed 1, over the time of the iteration. */
    public double speedup(LayerProfile profile) {
        return microBatches * profile.computeSeconds() / iterationSeconds;
    }
}
