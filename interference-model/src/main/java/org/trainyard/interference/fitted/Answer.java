package org.trainyard.interference.fitted;

/**
 * A predicted slowdown and where nine of ten measurements are expected.
 *
 * @param slowdown at least 1
 * @param lower at least 1, at most the slowdown
 * @param upper at least the slowdown
 */
public record Answer(double slowdown, double lower, double upper) {
    /** Nobody beside it. */
    public static final Answer ALONE = new Answer(1, 1, 1);

    /** Beside the neighbours of both. */
    public Answer times(Answer other) {
        return new Answer(slowdown * other.slowdown, lower * other.lower, upper * other.upper);
    }
}
