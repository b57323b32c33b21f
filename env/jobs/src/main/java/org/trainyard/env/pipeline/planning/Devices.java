package org.trainyard.env.pipeline.planning;

/**
 * The GPUs of one job as a planner sees them, numbered from zero: their servers and the time of transfers between them.
 */
public interface Devices {
    int count();

    /** The server of a GPU; equal numbers are equal servers. */
    int serverOf(int gpu);

    /** Compute speed relative to the GPU of the profile. */
    double speed(int gpu);

    double memoryBytes(int gpu);

    /** Bandwidth between two different GPUs, bytes per second. */
    double bytesPerSecond(int gpuA, int gpuB);

    /** Time to all-reduce so many bytes over the GPUs, seconds; zero for one GPU. */
    double allReduceSeconds(int[] gpus, double bytes);

    /**
     * Time to send so many bytes, evenly split over {@code from}, to {@code to}, where they are evenly split too,
     * seconds.
     */
    double transferSeconds(int[] from, int[] to, double bytes);
}
