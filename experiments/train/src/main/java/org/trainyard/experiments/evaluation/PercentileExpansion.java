package org.trainyard.experiments.evaluation;

import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The expansion of bootstrap percentiles for few values: they are taken further out so that their interval covers as
 * often as Student's (T. C. Hesterberg: What teachers should know about the bootstrap, The American Statistician,
 * 2015).
 *
 * @param factor by which the bootstrap's standard deviation of the mean is too small, at least 1
 * @param freedom degrees of freedom of that standard deviation
 */
record PercentileExpansion(double factor, double freedom) {
    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    /** The expansion for the mean of {@code n} values, at least 2. */
    static PercentileExpansion of(int n) {
        return new PercentileExpansion(Math.sqrt(n / (n - 1.0)), n - 1);
    }

    /** Probability to leave out on either side of the interval whose level is {@code 1 - p}. */
    double tail(double p) {
        double t = TDistribution.of(freedom).inverseSurvivalProbability(p / 2);
        return NORMAL.cumulativeProbability(-factor * t);
    }

    /** The {@code p} whose {@link #tail} this is; at most 1. */
    double p(double tail) {
        if (tail >= 0.5) {
            return 1;
        }
        double z = -NORMAL.inverseCumulativeProbability(tail);
        return 2 * TDistribution.of(freedom).survivalProbability(z / factor);
    }
}
