package org.trainyard.experiments.papers.pollux;

import java.util.function.ToDoubleFunction;

/**
 * The minimisation of a function of a few numbers: BFGS with central differences and a line search that halves the
 * step.
 *
 * <p>Source: J. Nocedal, S. Wright: Numerical optimization, 2006, section 6.1. It ends after so many steps, or when no
 * step lowers the function.
 */
final class QuasiNewton {
    private static final double DIFFERENCE = 1e-6;
    private static final double LEAST_STEP = 1e-10;
    private static final double SUFFICIENT = 1e-4;
    private static final double LEAST_GAIN = 1e-9;

    private final ToDoubleFunction<double[]> function;
    private final int steps;

    QuasiNewton(ToDoubleFunction<double[]> function, int steps) {
        this.function = function;
        this.steps = steps;
    }

    double[] minimise(double[] start) {
        double[] at = start.clone();
        double value = function.applyAsDouble(at);
        double[] gradient = gradient(at);
        double[][] inverse = identity(at.length);
        boolean isFresh = true;
        for (int step = 0; step < steps; step++) {
            double[] direction = times(inverse, gradient);
            double slope = -dot(direction, gradient);
            double length = slope < 0 ? descent(at, value, direction, slope) : 0;
            if (length == 0) {
                if (isFresh) {
                    return at;
                }
                inverse = identity(at.length);
                isFresh = true;
                continue;
            }
            double[] moved = new double[at.length];
            for (int i = 0; i < at.length; i++) {
                moved[i] = -length * direction[i];
                at[i] += moved[i];
            }
            double next = function.applyAsDouble(at);
            double[] nextGradient = gradient(at);
            update(inverse, moved, minus(nextGradient, gradient));
            if (value - next < LEAST_GAIN) {
                return at;
            }
            isFresh = false;
            value = next;
            gradient = nextGradient;
        }
        return at;
    }

    /** The first of the lengths 1, 1/2, 1/4 … that lowers the function enough, or 0. */
    private double descent(double[] at, double value, double[] direction, double slope) {
        double[] tried = new double[at.length];
        for (double length = 1 / Math.max(1, Math.sqrt(dot(direction, direction))); length > LEAST_STEP; length /= 2) {
            for (int i = 0; i < at.length; i++) {
                tried[i] = at[i] - length * direction[i];
            }
            if (function.applyAsDouble(tried) <= value + SUFFICIENT * length * slope) {
                return length;
            }
        }
        return 0;
    }

    private double[] gradient(double[] at) {
        double[] gradient = new double[at.length];
        double[] near = at.clone();
        for (int i = 0; i < at.length; i++) {
            near[i] = at[i] + DIFFERENCE;
            double above = function.applyAsDouble(near);
            near[i] = at[i] - DIFFERENCE;
            gradient[i] = (above - function.applyAsDouble(near)) / (2 * DIFFERENCE);
            near[i] = at[i];
        }
        return gradient;
    }

    /** Makes the inverse of the second derivatives agree with what the gradient did on the last step. */
    private static void update(double[][] inverse, double[] moved, double[] changed) {
        double curvature = dot(moved, changed);
        if (curvature <= 1e-14) {
            return;
        }
        double[] image = times(inverse, changed);
        double weight = (1 + dot(changed, image) / curvature) / curvature;
        for (int i = 0; i < moved.length; i++) {
            for (int j = 0; j < moved.length; j++) {
                inverse[i][j] += weight * moved[i] * moved[j] - (image[i] * moved[j] + moved[i] * image[j]) / curvature;
            }
        }
    }

    private static double[][] identity(int size) {
        double[][] identity = new double[size][size];
        for (int i = 0; i < size; i++) {
            identity[i][i] = 1;
        }
        return identity;
    }

    private static double[] times(double[][] matrix, double[] vector) {
        double[] product = new double[vector.length];
        for (int i = 0; i < vector.length; i++) {
            product[i] = dot(matrix[i], vector);
        }
        return product;
    }

    private static double[] minus(double[] a, double[] b) {
        double[] difference = new double[a.length];
        for (int i = 0; i < a.length; i++) {
            difference[i] = a[i] - b[i];
        }
        return difference;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
