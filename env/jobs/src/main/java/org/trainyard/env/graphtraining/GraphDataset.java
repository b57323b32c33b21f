package org.trainyard.env.graphtraining;

import org.jspecify.annotations.Nullable;

/**
 * A graph on which a graph neural network is trained, with the work of its mini-batches.
 *
 * @param batch the work of one mini-batch
 * @param tableBytes the features of all nodes
 * @param gpuCacheBytes of each GPU's memory, for features
 * @param deviceBytes of each GPU's memory, in all
 * @param storeCores cores of graph stores for each worker
 */
public record GraphDataset(
        String name,
        MiniBatch batch,
        double tableBytes,
        double gpuCacheBytes,
        double gradientBytes,
        long deviceBytes,
        int storeCores) {
    /**
     * GraphSAGE with fan-out 15, 10, 5 and batches of 1,000 on ogbn-papers100M: 111 million nodes of 128 floats.
     *
     * <p>The sizes of a mini-batch and its GPU time are BGL's as remembered; the CPU times are those of our known
     * answers, round numbers of the same size; the cache of a GPU (4 GB), its memory and the gradients of three layers
     * are ours.
     */
    public static final GraphDataset PAPERS100M = new GraphDataset(
            "papers100m",
            new MiniBatch(0.030, 0.090, 0.040, 0.060, 0.002, 0.020, 5e6, 195e6),
            111_059_956 * 128.0 * Float.BYTES,
            4e9,
            1.1e6,
            8L << 30,
            16);

    /** The graph of that name, or null. */
    public static @Nullable GraphDataset find(String name) {
        return name.equals(PAPERS100M.name) ? PAPERS100M : null;
    }

    /**
     * The stages of a job's workers on one server.
     *
     * @param hostBytes of features in the memory of the host, beside those in the memory of the GPUs, which hold
     *     different ones
     * @param gpuSeconds time of a mini-batch on a GPU, with whatever follows before the next, seconds
     */
    public Stages stages(HitRatio cache, int workers, double hostBytes, double gpuSeconds) {
        double onGpus = workers * gpuCacheBytes / tableBytes;
        return new Stages(
                batch, workers, storeCores, cache.at(onGpus + hostBytes / tableBytes), cache.at(onGpus), gpuSeconds);
    }
}
