package org.trainyard.env.pipeline.planning;

import org.trainyard.env.pipeline.LayerProfile;

/**
 * A layout with its times, on the GPUs it was planned for.
 *
 * @param layout stages, replicas and GPUs
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

    /**
     * Device memory of a layout: parameters times a factor for gradients and the optimiser, and the activations of the
     * micro-batches that are under way.
     *
     * <p>Source: S. Fan et al.: DAPPLE, 2021, with its factor of two. A stage has as many micro-batches under way as it
     * has warm-up passes.
     */
    private static final class PipelineMemory {
        private static final double PARAMETER_COPIES = 2;

        private PipelineMemory() {}

        /** Bytes on each GPU of a stage. */
        static double bytes(LayerProfile profile, StageLayout layout, int stage, int microBatches) {
            PipelineStage of = layout.stages().get(stage);
            int each = (microBatches + layout.pipelines() - 1) / layout.pipelines();
            int underWay = layout.order().warmUp(2 * stage, 2 * layout.stages().size() - 1, each);
            int replicas = of.replicas() / layout.pipelines();
            return PARAMETER_COPIES * profile.parameterBytes(of.first(), of.end())
                    + underWay * profile.activationBytes(of.first(), of.end()) / replicas;
        }

        /** Bytes on the fullest GPU. */
        static double mostBytes(LayerProfile profile, StageLayout layout, int microBatches) {
            double most = 0;
            for (int s = 0; s < layout.stages().size(); s++) {
                most = Math.max(most, bytes(profile, layout, s, microBatches));
            }
            return most;
        }

        /** The memory that a GPU lacks, at most; zero or less when the layout fits. */
        static double lackingBytes(LayerProfile profile, Devices devices, StageLayout layout, int microBatches) {
            double lacking = Double.NEGATIVE_INFINITY;
            for (int s = 0; s < layout.stages().size(); s++) {
                double needed = bytes(profile, layout, s, microBatches);
                for (int gpu : layout.stages().get(s).gpus()) {
                    lacking = Math.max(lacking, needed - devices.memoryBytes(gpu));
                }
            }
            return lacking;
        }
    }
}
