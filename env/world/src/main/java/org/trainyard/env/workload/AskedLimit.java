package org.trainyard.env.workload;

/**
 * The time limit that a job asked for, where the limit of its terms is another one: a run as logged is killed at none.
 *
 * @param nanos above zero
 */
public record AskedLimit(long nanos) {}
