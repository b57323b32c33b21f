package org.trainyard.env.workload.trace.log;

/**
 * Jobs of a log that were left out for one reason.
 *
 * @param reason completes "jobs ..."
 * @param jobs how many
 * @param gpuHours that they held, as far as the log says
 */
public record LeftOut(String reason, long jobs, double gpuHours) {}
