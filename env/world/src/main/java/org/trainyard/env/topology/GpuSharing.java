package org.trainyard.env.topology;

import org.trainyard.env.Labelled;

/** How a GPU is divided among jobs that demand only a share of one. */
public enum GpuSharing implements Labelled {
    /** Not at all: a job that demands a share gets a whole GPU. */
    WHOLE,
    /** Thousandths; jobs on one GPU take turns and slow each other down. */
    FRACTIONS,
    /**
     * NVIDIA's multi-instance GPUs, with seven compute and eight memory slices: a job gets the smallest sufficient
     * instance of 1, 2, 3, 4 or 7 compute slices (with 1, 2, 4, 4 or 8 memory slices), at a place where such an
     * instance may begin.
     */
    MIG
}
