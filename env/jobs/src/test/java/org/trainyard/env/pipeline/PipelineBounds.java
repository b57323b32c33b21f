package org.trainyard.env.pipeline;

/** Bounds of the makespan of one iteration of a pipeline, from the times of its resources alone. */
public final class PipelineBounds {
    private PipelineBounds() {}

    /**
     * A lower bound for every schedule: each resource waits for its first micro-batch, does all of its work, and is
     * followed by the backward passes before it; and one micro-batch passes all resources twice.
     */
    public static double lower(double[] forwardSeconds, double[] backwardSeconds, int microBatches) {
        double before = 0;
        double bound = 0;
        for (int r = 0; r < forwardSeconds.length; r++) {
            bound = Math.max(bound, before + microBatches * (forwardSeconds[r] + backwardSeconds[r]));
            before += forwardSeconds[r] + backwardSeconds[r];
        }
        return Math.max(bound, before);
    }

    /**
     * An upper bound for the {@link MicroBatchOrder#DEEP deep order}: {@code M + 2 R - 2} slots of the longest forward
     * and backward pass of any resource (SPP, theorem 1).
     */
    public static double deep(double[] forwardSeconds, double[] backwardSeconds, int microBatches) {
        double slot = 0;
        for (int r = 0; r < forwardSeconds.length; r++) {
            slot = Math.max(slot, forwardSeconds[r] + backwardSeconds[r]);
        }
        return (microBatches + 2 * forwardSeconds.length - 2) * slot;
    }
}
