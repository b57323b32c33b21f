package org.trainyard.env.workload;

/**
 * Jobs of a log that were left out for one reason.
 *
 * @param reason completes "jobs ..."
 * @param jobs how many
 * @param gpuHours that they held, as far as the log says
 */
public record LeftOut(String reason, long jobs, double gpuHours) {
    /** The reason of jobs of which not even the GPU-hours are known. */
    public static final String UNREADABLE = "on lines that cannot be read";
}
