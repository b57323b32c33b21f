package org.trainyard.env.workload.goodput;

/**
 * The batch of a job on so many replicas.
 *
 * @param localBatch samples of one replica and step
 * @param accumulationSteps steps before the one that synchronises
 * @param goodput samples per second, each worth as much as one at the initial batch
 */
public record BatchChoice(int localBatch, int accumulationSteps, double goodput) {}
