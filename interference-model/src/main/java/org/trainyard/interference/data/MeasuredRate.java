package org.trainyard.interference.data;

/**
 * How fast a model trains alone on one GPU, as a campaign measured it.
 *
 * @param model its name in the {@link org.trainyard.env.workload.generator.ModelCatalog}
 * @param gpuType name of the GPU type
 * @param batch samples per iteration; 1 where an iteration has no batch
 * @param samplesPerSecond above zero
 */
record MeasuredRate(String model, String gpuType, double batch, double samplesPerSecond) {}
