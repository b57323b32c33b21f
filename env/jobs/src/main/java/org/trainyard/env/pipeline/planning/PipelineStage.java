package org.trainyard.env.pipeline.planning;

import java.util.Arrays;

/**
 * Consecutive layers of a profile and the GPUs that hold replicas of them. A class rather than a record because it
 * holds an array.
 */
public final class PipelineStage {
    private final int first;
    private final int end;
    private final int[] gpus;

    /**
     * @param end layer after the last
     * @param gpus numbers of the GPUs, which split every micro-batch evenly
     */
    public PipelineStage(int first, int end, int... gpus) {
        if (first >= end || gpus.length == 0) {
            throw new IllegalArgumentException("a stage of layers (%d to %d) on GPUs %s is empty"
                    .formatted(first, end - 1, Arrays.toString(gpus)));
        }
        this.first = first;
        this.end = end;
        this.gpus = gpus.clone();
    }

    public int first() {
        return first;
    }

    public int end() {
        return end;
    }

    public int replicas() {
        return gpus.length;
    }

    /** A copy of the GPUs' numbers. */
    public int[] gpus() {
        return gpus.clone();
    }

    /** The GPUs of one of several pipelines, which share them evenly, in order. */
    int[] gpusOf(int pipeline, int pipelines) {
        int each = gpus.length / pipelines;
        return Arrays.copyOfRange(gpus, pipeline * each, (pipeline + 1) * each);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PipelineStage stage
                && first == stage.first
                && end == stage.end
                && Arrays.equals(gpus, stage.gpus);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * first + end) + Arrays.hashCode(gpus);
    }

    @Override
    public String toString() {
        return "layers %d-%d on %s".formatted(first, end - 1, Arrays.toString(gpus));
    }
}
