package org.trainyard.interference.model.pressure;

/**
 * Ridge regression without negative coefficients, by coordinate descent on the normal equations.
 *
 * <p>V. Franc, V. Hlavac, M. Navara: Sequential coordinate-wise algorithm for the non-negative least squares
 * problem, CAIP 2005. The normal equations are accurate enough for the well-scaled features of the pressure models.
 */
public final class NonNegativeLeastSquares {
    private NonNegativeLeastSquares() {}

    /**
     * {@code X'X} of a design matrix given by rows, row after row. Plain Java, so that equal designs give equal bits.
     */
    public static double[] gram(double[][] design) {
        int width = design[0].length;
        double[] gram = new double[width * width];
        for (double[] row : design) {
            for (int i = 0; i < width; i++) {
                if (row[i] != 0) {
                    for (int j = 0; j < width; j++) {
                        gram[i * width + j] += row[i] * row[j];
                    }
                }
            }
        }
        return gram;
    }

    /** {@code X'y} of the same design matrix. */
    public static double[] moment(double[][] design, double[] target) {
        double[] moment = new double[design[0].length];
        for (int row = 0; row < design.length; row++) {
            for (int i = 0; i < moment.length; i++) {
                moment[i] += design[row][i] * target[row];
            }
        }
        return moment;
    }

    /**
     * Lowers {@code |X beta - y|^2 + sum of ridge x beta^2} over {@code beta >= 0} in place.
     *
     * @param gram {@code X'X}, row after row
     * @param moment {@code X'y}
     * @param ridge penalty of each coefficient, not negative
     * @param beta where the descent starts and what it reaches
     * @param sweeps passes over all coefficients
     */
    public static void descend(double[] gram, double[] moment, double[] ridge, double[] beta, int sweeps) {
        for (int sweep = 0; sweep < sweeps; sweep++) {
            for (int i = 0; i < beta.length; i++) {
                int row = i * beta.length;
                double curvature = gram[row + i] + ridge[i];
                if (curvature > 0) {
                    double slope = moment[i];
                    for (int j = 0; j < beta.length; j++) {
                        slope -= gram[row + j] * beta[j];
                    }
                    beta[i] = Math.max(0, beta[i] + (slope - ridge[i] * beta[i]) / curvature);
                }
            }
        }
    }
}
