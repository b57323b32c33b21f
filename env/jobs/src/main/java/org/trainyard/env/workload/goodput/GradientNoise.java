package org.trainyard.env.workload.goodput;

/**
 * The noise of a model's gradients at one time of its training, which determines the worth of a larger batch.
 *
 * <p>At {@code scale} times the initial batch one iteration is worth {@code (variance + squaredNorm) / (variance /
 * scale + squaredNorm)} iterations at the initial batch; per sample that is the statistical efficiency of the scale.
 *
 * <p>Source: A. Qiao et al.: Pollux: co-adaptive cluster scheduling for goodput-optimized deep learning, OSDI 2021,
 * section 3.1.
 *
 * @param squaredNorm squared norm of the mean gradient
 * @param variance variance of the gradient at the initial batch, in the same unit
 */
public record GradientNoise(double squaredNorm, double variance) {
    public GradientNoise {
        if (!(squaredNorm >= 0 && variance >= 0 && squaredNorm + variance < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("squared norm (%s) and variance (%s) must be finite and not negative"
                    .formatted(squaredNorm, variance));
        }
    }

    /** Iterations at the initial batch that one at {@code scale} times that batch is worth. */
    public double gain(double scale) {
        double noise = variance / scale + squaredNorm;
        return noise > 0 ? (variance + squaredNorm) / noise : 1;
    }

    /** Worth of a sample relative to one at the initial batch; 1 at the initial batch. */
    public double efficiency(double scale) {
        return gain(scale) / scale;
    }
}
