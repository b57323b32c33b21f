package org.trainyard.interference.fit;

/**
 * A predicted slowdown with its 90 % interval.
 *
 * @param slowdown at least 1
 * @param lower at least 1, at most the slowdown
 * @param upper at least the slowdown
 */
public record PairPrediction(double slowdown, double lower, double upper) {
    /** No neighbour. */
    public static final PairPrediction ALONE = new PairPrediction(1, 1, 1);

    /** The prediction beside the neighbours of both: the product. */
    public PairPrediction times(PairPrediction other) {
        return new PairPrediction(slowdown * other.slowdown, lower * other.lower, upper * other.upper);
    }
}
