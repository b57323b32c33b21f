package org.trainyard.interference.model;

import java.util.List;

/**
 * Predicts which part of its rate a victim keeps beside one neighbour.
 *
 * <p>Several neighbours multiply: the slowdown is the product of the pairs' slowdowns. Since no ratio exceeds 1, whatever is built on
 * this is neutral, at least 1, indifferent to the order of neighbours, and monotone: one more of them never speeds a victim up.
 */
public interface PairModel {
    /** The least ratio any model says; a slowdown of 50. */
    double LEAST = 0.02;

    /** Rate beside the neighbour over rate alone for each pair, each in {@code LEAST..1}. Pure; equal arguments give equal numbers. */
    double[] ratios(List<Pair> pairs);

    /** A ratio within its limits. */
    static double limit(double ratio) {
        return Math.max(LEAST, Math.min(1, ratio));
    }
}
