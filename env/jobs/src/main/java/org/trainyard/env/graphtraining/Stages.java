package org.trainyard.env.graphtraining;

/**
 * The stages of BGL's pipeline for some workers of one job on one server, as one mini-batch of theirs: their CPU work
 * and transfers add up, their GPUs compute beside each other.
 *
 * @param workers on the server, each with a GPU and with cores of graph stores of its own
 * @param storeCores of graph stores, for each worker; at least 2
 * @param remoteHits the share of features that no graph store has to send
 * @param gpuHits the share of features that are in the memory of GPUs; at most {@code remoteHits}
 * @param gpuSeconds time of a mini-batch on a GPU, with whatever follows before the next, seconds
 */
public record Stages(
        MiniBatch batch, int workers, int storeCores, double remoteHits, double gpuHits, double gpuSeconds) {
    public Stages {
        if (workers < 1 || storeCores < 2) {
            throw new IllegalArgumentException("workers (%d) must be at least 1, cores of graph stores (%d) at least 2"
                    .formatted(workers, storeCores));
        }
        if (!(gpuHits >= 0 && gpuHits <= remoteHits && remoteHits <= 1) || !(gpuSeconds > 0)) {
            throw new IllegalArgumentException(
                    "hits (%s on GPUs, %s of all) must be 0 to 1 in this order, time (%s s) above zero"
                            .formatted(gpuHits, remoteHits, gpuSeconds));
        }
    }

    /** Stage 3 moves so many bytes through the network card. */
    double networkBytes() {
        return workers * (batch.graphBytes() + (1 - remoteHits) * batch.featureBytes());
    }

    double process(int cores) {
        return workers * batch.processCoreSeconds() / cores;
    }

    double lookUp(int cores) {
        return workers * batch.lookUpCoreSeconds() / cores + batch.lookUpSeconds();
    }

    /** Stage 5 at so many bytes per second. */
    double moveGraph(double bytesPerSecond) {
        return workers * batch.graphBytes() / bytesPerSecond;
    }

    /** Stage 7 at so many bytes per second. */
    double moveFeatures(double bytesPerSecond) {
        return workers * batch.featureBytes() * (1 - gpuHits) / bytesPerSecond;
    }
}
