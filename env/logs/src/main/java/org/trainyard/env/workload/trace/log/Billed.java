package org.trainyard.env.workload.trace.log;

/**
 * Amount by which usage of fair share grew in each second of a run, as its log says.
 *
 * @param perSecond rounded down by the manager, above zero
 */
public record Billed(long perSecond) {}
