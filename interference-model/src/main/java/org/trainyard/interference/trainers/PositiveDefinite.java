package org.trainyard.interference.trainers;

import org.nd4j.linalg.api.blas.BlasException;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * The Cholesky factor of a positive definite matrix, by LAPACK, and triangular solves with it, by BLAS, as ND4J calls
 * them. Equal matrices give equal bits on one machine with one number of threads ({@code OMP_NUM_THREADS}). To be
 * closed.
 *
 * <p>ND4J's own operations do not serve: {@code triangularSolve} is slow, and {@code matrix_inverse} refuses a
 * determinant that underflows.
 */
final class PositiveDefinite implements AutoCloseable {
    /** CBLAS's name for a diagonal that is not all ones; ND4J translates the letters of all arguments but this. */
    private static final char NOT_UNIT = 131;

    private final int rows;
    private final INDArray factor;

    /** @param matrix symmetric, by rows; O(rows^3) */
    PositiveDefinite(double[] matrix, int rows) {
        this.rows = rows;
        factor = Nd4j.create(matrix, new long[] {rows, rows}, 'f');
        try {
            Nd4j.getBlasWrapper().lapack().potrf(factor, true);
        } catch (BlasException e) {
            throw new IllegalStateException("a covariance of (%d) rows that is not positive".formatted(rows), e);
        }
    }

    /** The matrix's inverse times a vector; O(rows^2). */
    double[] solve(double[] right) {
        try (INDArray solution = Nd4j.create(right, new long[] {rows, 1}, 'f');
                INDArray shape = factor.getColumn(0, true)) {
            divide('N', shape, solution);
            divide('T', shape, solution);
            return solution.reshape(rows).toDoubleVector();
        }
    }

    /** The matrix's inverse; O(rows^3). */
    double[][] inverse() {
        double[] identity = new double[rows * rows];
        for (int i = 0; i < rows; i++) {
            identity[i * rows + i] = 1;
        }
        try (INDArray half = Nd4j.create(identity, new long[] {rows, rows}, 'f')) {
            divide('N', factor, half);
            try (INDArray transposed = half.transpose();
                    INDArray inverse = transposed.mmul(half)) {
                return inverse.toDoubleMatrix();
            }
        }
    }

    /**
     * Solves the lower triangle, transposed for 'T', for all columns of {@code right} in place.
     *
     * @param shape the factor or its first column: a view of the factor's numbers that has the shape of {@code right},
     *     which is where ND4J reads that shape
     */
    private static void divide(char transposed, INDArray shape, INDArray right) {
        Nd4j.getBlasWrapper().level3().trsm('f', 'L', 'L', transposed, NOT_UNIT, 1, shape, right);
    }

    @Override
    public void close() {
        factor.close();
    }
}
