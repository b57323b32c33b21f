package org.trainyard.env.workload.goodput;

/**
 * The batches with which a job can be trained, in samples.
 *
 * @param initial global batch that efficiency is relative to; the smallest
 * @param most largest global batch
 * @param leastLocal smallest batch of one replica and step
 * @param mostLocal largest batch of one replica and step: the memory of a GPU
 */
public record BatchLimits(int initial, int most, int leastLocal, int mostLocal) {
    public BatchLimits {
        if (initial < 1 || most < initial || leastLocal < 1 || mostLocal < leastLocal || most < leastLocal) {
            throw new IllegalArgumentException(
                    "batches must be at least 1, the initial (%d) and the least local (%d) at most the most (%d, %d local)"
                            .formatted(initial, leastLocal, most, mostLocal));
        }
    }

    /** The number of replicas beyond which the largest batch would leave less than the smallest local one. */
    public int mostReplicas() {
        return most / leastLocal;
    }
}
