package org.trainyard.interference.model;

import java.util.List;

/**
 * Predicts the ratio of a victim's rate beside one neighbour to its rate alone.
 *
 * <p>Several neighbours multiply: the slowdown is the product of the pairs' slowdowns. No ratio exceeds 1, so a
 * slowdown is neutral, at least 1, independent of the order of neighbours, and monotone: an additional neighbour never
 * speeds a victim up.
 */
public interface PairModel {
    /** The least ratio of any model: a slowdown of 50. */
    double LEAST = 0.02;

    /** The ratio of each pair, each in {@code LEAST..1}. Pure; equal arguments give equal ratios. */
    double[] ratios(List<Pair> pairs);

    /** Returns this model for callers that ask pair by pair: it may keep what it works out of a type of job. */
    default PairModel remembering() {
        return this;
    }

    /** A ratio clipped to {@code LEAST..1}. */
    static double limit(double ratio) {
        return Math.max(LEAST, Math.min(1, ratio));
    }
}
