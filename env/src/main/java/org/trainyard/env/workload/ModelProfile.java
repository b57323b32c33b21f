package org.trainyard.env.workload;

/**
 * What one kind of training job asks of the hardware.
 *
 * @param name the model's name
 * @param computeSeconds forward and backward pass of one iteration on one GPU of speed 1, seconds
 * @param gradientBytes bytes all-reduced per iteration
 * @param memoryBytes device memory per GPU
 * @param presses pressure put on neighbours, per GPU
 * @param minds sensitivity to the neighbours' pressure
 */
public record ModelProfile(
        String name, double computeSeconds, double gradientBytes, long memoryBytes, Pressure presses, Pressure minds) {
    public ModelProfile {
        if (!(computeSeconds > 0) || Double.isInfinite(computeSeconds)) {
            throw new IllegalArgumentException(
                    "compute time (%s s) of model %s must be finite and above zero".formatted(computeSeconds, name));
        }
        if (!(gradientBytes >= 0) || Double.isInfinite(gradientBytes)) {
            throw new IllegalArgumentException("gradient size (%s bytes) of model %s must be finite and not negative"
                    .formatted(gradientBytes, name));
        }
    }
}
