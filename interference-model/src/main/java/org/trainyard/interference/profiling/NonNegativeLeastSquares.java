package org.trainyard.interference.profiling;

import java.util.Arrays;

/**
 * Least squares without negative coefficients, on the normal equations of a problem with few unknowns.
 *
 * <p>C. L. Lawson, R. J. Hanson: Solving least squares problems, 1974, chapter 23 (algorithm NNLS). Our deviations: (1) it works on
 * the normal equations, good enough for a handful of well-scaled features; (2) the inner system is solved by elimination.
 */
final class NonNegativeLeastSquares {
    private static final double TOLERANCE = 1e-12;

    private final double[][] gram;
    private final double[] moment;
    private final boolean[] free;
    private double[] beta;

    private NonNegativeLeastSquares(double[][] gram, double[] moment) {
        this.gram = gram;
        this.moment = moment;
        free = new boolean[moment.length];
        beta = new double[moment.length];
    }

    /** Minimises {@code |X beta - y|} over {@code beta >= 0}, given {@code X'X} and {@code X'y}. */
    static double[] solve(double[][] gram, double[] moment) {
        return new NonNegativeLeastSquares(gram, moment).run();
    }

    private double[] run() {
        double scale = 0;
        for (double value : moment) {
            scale = Math.max(scale, Math.abs(value));
        }
        // Each round lets one more coefficient off zero and lowers the error, so there are fewer rounds than subsets.
        for (int round = 0; round < 1 << moment.length; round++) {
            int steepest = steepest(TOLERANCE * scale);
            if (steepest < 0) {
                return beta;
            }
            free[steepest] = true;
            settle();
        }
        return beta;
    }

    /** The coefficient at zero whose growth lowers the error fastest, or -1. */
    private int steepest(double least) {
        int best = -1;
        double bestSlope = least;
        for (int i = 0; i < beta.length; i++) {
            // A column of zeros can explain nothing.
            if (!free[i] && gram[i][i] > 0) {
                double slope = moment[i];
                for (int k = 0; k < beta.length; k++) {
                    slope -= gram[i][k] * beta[k];
                }
                if (slope > bestSlope) {
                    best = i;
                    bestSlope = slope;
                }
            }
        }
        return best;
    }

    /** Solves for the free coefficients; those that would turn negative stop at zero and are free no more. */
    private void settle() {
        while (true) {
            double[] target = solveFree();
            double step = 1;
            for (int i = 0; i < beta.length; i++) {
                if (free[i] && target[i] <= 0) {
                    step = Math.min(step, beta[i] / (beta[i] - target[i]));
                }
            }
            if (step >= 1) {
                beta = target;
                return;
            }
            for (int i = 0; i < beta.length; i++) {
                beta[i] += step * (target[i] - beta[i]);
                if (free[i] && target[i] <= 0 && beta[i] <= TOLERANCE) {
                    beta[i] = 0;
                    free[i] = false;
                }
            }
        }
    }

    private double[] solveFree() {
        int n = beta.length;
        double[][] a = new double[n][];
        double[] x = moment.clone();
        for (int i = 0; i < n; i++) {
            a[i] = gram[i].clone();
            if (!free[i]) {
                Arrays.fill(a[i], 0);
                a[i][i] = 1;
                x[i] = 0;
            }
        }
        eliminate(a, x);
        return x;
    }

    /** Gauss-Jordan with the rows that are free alone coupled; the matrix is symmetric and positive there. */
    private static void eliminate(double[][] a, double[] x) {
        int n = x.length;
        for (int pivot = 0; pivot < n; pivot++) {
            double scale = a[pivot][pivot];
            if (scale == 0) {
                x[pivot] = 0;
                continue;
            }
            for (int row = 0; row < n; row++) {
                if (row != pivot && a[row][pivot] != 0) {
                    double factor = a[row][pivot] / scale;
                    for (int column = 0; column < n; column++) {
                        a[row][column] -= factor * a[pivot][column];
                    }
                    x[row] -= factor * x[pivot];
                }
            }
        }
        for (int i = 0; i < n; i++) {
            x[i] = a[i][i] == 0 ? 0 : x[i] / a[i][i];
        }
    }
}
