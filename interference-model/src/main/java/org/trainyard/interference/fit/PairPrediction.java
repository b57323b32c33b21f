package org.trainyard.interference.fit;

/**
 * A predicted slowdown and where nine of ten measurements are expected.
 *
 * @param slowdown at least 1
 * @param lower at least 1, at most the slowdown
 * @param upper at least the slowdown
 */
public record PairPrediction(double slowdown, double lower, double upper) {
    /** Nobody beside it. */
    public static final PairPrediction ALONE = new PairPrediction(1, 1, 1);

    /** Beside the neighbours of both. */
    public PairPrediction times(PairPrediction other) {
        return new PairPrediction(slowdown * other.slowdown, lower * other.lower, upper * other.upper);
    }
}
