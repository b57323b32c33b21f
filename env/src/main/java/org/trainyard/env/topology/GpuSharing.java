package org.trainyard.env.topology;

/** What a GPU may be cut into when jobs need only a part of one. */
public enum GpuSharing {
    /** Nothing: a job that needs a part gets a whole GPU. */
    WHOLE,
    /** Thousandths, to jobs that take turns on it and slow each other down. */
    FRACTIONS,
    /**
     * Slices of NVIDIA's multi-instance GPUs: of seven compute and eight memory slices, a job that needs a part gets 1, 2, 3, 4 or 7
     * (with 1, 2, 4, 4 or 8 of memory), whichever is the least that is enough, at a place where such a slice may begin.
     */
    MIG
}
