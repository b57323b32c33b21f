package org.trainyard.interference.candidates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class NonNegativeLeastSquaresTest {
    private static final double[][] LINE = {{1, 1}, {1, 2}, {1, 3}};

    private static double[] solve(double[] target, double ridge) {
        double[] beta = new double[2];
        NonNegativeLeastSquares.solve(LINE, target, new double[] {ridge, ridge}, beta, 1000);
        return beta;
    }

    @Test
    void a_coefficient_that_would_be_negative_stops_at_zero() {
        // Unbounded it would be 4 - x; with the slope at 0 the mean is best.
        assertThat(solve(new double[] {3, 2, 1}, 0)).containsExactly(new double[] {2, 0}, within(1e-12));
    }

    @Test
    void it_is_least_squares_when_no_coefficient_would_be_negative() {
        assertThat(solve(new double[] {3, 5, 7}, 0)).containsExactly(new double[] {1, 2}, within(1e-9));
    }

    @Test
    void a_ridge_shrinks_coefficients() {
        // (X'X + I) beta = X'y with X'X = (3, 6; 6, 14) and X'y = (15, 34).
        assertThat(solve(new double[] {3, 5, 7}, 1)).containsExactly(new double[] {21.0 / 24, 46.0 / 24}, within(1e-9));
    }

    @Test
    void a_column_of_zeros_gets_a_zero() {
        double[] beta = new double[1];
        NonNegativeLeastSquares.solve(new double[3][1], new double[3], new double[1], beta, 5);
        assertThat(beta).containsExactly(0);
    }
}
