package org.trainyard.interference.candidates;

import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Ridge regression without negative coefficients, by coordinate descent on the normal equations.
 *
 * <p>V. Franc, V. Hlavac, M. Navara: Sequential coordinate-wise algorithm for the non-negative least squares problem,
 * CAIP 2005. The normal equations, which are ND4J's, are accurate enough for the well-scaled features of the pressure
 * model.
 */
public final class NonNegativeLeastSquares {
    private NonNegativeLeastSquares() {}

    /**
     * Lowers {@code |X beta - y|^2 + sum of ridge x beta^2} over {@code beta >= 0} in place.
     *
     * @param design {@code X}, by rows
     * @param target {@code y}
     * @param ridge penalty of each coefficient, not negative
     * @param beta where the descent starts and what it reaches
     * @param sweeps passes over all coefficients
     */
    static void solve(double[][] design, double[] target, double[] ridge, double[] beta, int sweeps) {
        try (INDArray x = Nd4j.createFromArray(design);
                INDArray y = Nd4j.create(target, new long[] {target.length, 1}, DataType.DOUBLE);
                INDArray transposed = x.transpose();
                INDArray gram = transposed.mmul(x);
                INDArray moment = transposed.mmul(y)) {
            descend(gram.toDoubleMatrix(), moment.reshape(beta.length).toDoubleVector(), ridge, beta, sweeps);
        }
    }

    private static void descend(double[][] gram, double[] moment, double[] ridge, double[] beta, int sweeps) {
        for (int sweep = 0; sweep < sweeps; sweep++) {
            for (int i = 0; i < beta.length; i++) {
                double curvature = gram[i][i] + ridge[i];
                if (curvature > 0) {
                    double slope = moment[i];
                    for (int j = 0; j < beta.length; j++) {
                        slope -= gram[i][j] * beta[j];
                    }
                    beta[i] = Math.max(0, beta[i] + (slope - ridge[i] * beta[i]) / curvature);
                }
            }
        }
    }
}
