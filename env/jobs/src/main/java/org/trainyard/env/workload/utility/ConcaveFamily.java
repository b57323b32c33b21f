package org.trainyard.env.workload.utility;

import org.trainyard.env.Labelled;

/** The family of a concave, non-decreasing utility of training, 0 without training. */
public enum ConcaveFamily implements Labelled {
    /** Proportional fairness: {@code ln(1 + x)}. */
    LOGARITHM {
        @Override
        double of(double x) {
            return Math.log1p(x);
        }
    },
    /** No excessive training: {@code min(x, 1)}. */
    SATURATION {
        @Override
        double of(double x) {
            return Math.min(x, 1);
        }
    },
    /** {@code sqrt(x)}. */
    ROOT {
        @Override
        double of(double x) {
            return Math.sqrt(x);
        }
    },
    /** {@code 1 - exp(-x)}. */
    EXPONENTIAL {
        @Override
        double of(double x) {
            return -Math.expm1(-x);
        }
    };

    abstract double of(double x);
}
