package org.trainyard.agents.heuristic.admission;

import java.util.Arrays;

/**
 * The optimal randomised sale of one unit to requests whose values are among known levels: a level is drawn before the
 * first request, and the first request of at least that level gets the unit.
 *
 * <p>With levels {@code v_0 < v_1 < ...}, level {@code i} is drawn with probability {@code q_i = c (1 - v_(i-1) / v_i)}
 * and {@code q_0 = c}, where {@code c} makes them add up to one. The expected welfare is at least {@code c} times the
 * best value of every sequence, and no policy guarantees more (R. El-Yaniv et al.: Optimal search and one-way trading
 * online algorithms, Algorithmica 2001).
 */
public final class StopProbabilities {
    private final double[] levels;
    private final double guarantee;

    /** @param levels values, above zero and ascending */
    public StopProbabilities(double... levels) {
        this.levels = levels.clone();
        double sum = 1;
        for (int i = 0; i < levels.length; i++) {
            if (!(levels[i] > (i == 0 ? 0 : levels[i - 1]))) {
                throw new IllegalArgumentException(
                        "levels %s must be above zero and ascend".formatted(Arrays.toString(levels)));
            }
            sum += i == 0 ? 0 : 1 - levels[i - 1] / levels[i];
        }
        guarantee = 1 / sum;
    }

    /** The least expected welfare over the best value, over all sequences: the inverse of the competitive ratio. */
    public double guarantee() {
        return guarantee;
    }

    /** The probability with which each level is drawn. */
    public double[] probabilities() {
        double[] probabilities = new double[levels.length];
        for (int i = 0; i < levels.length; i++) {
            probabilities[i] = guarantee * (i == 0 ? 1 : 1 - levels[i - 1] / levels[i]);
        }
        return probabilities;
    }
}
