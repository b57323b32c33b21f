package org.trainyard.agents.heuristic.rounds;

import org.trainyard.env.Invalid;

/**
 * A linear programme in standard form, solved by the simplex method: the largest {@code c x} with {@code A x <= b},
 * {@code x >= 0}, where {@code b} is not negative, so that zero is feasible.
 *
 * <p>The column with the largest gain enters; after as many steps as there are rows without a gain, the first that
 * gains, which ends every cycle (R. G. Bland: New finite pivoting rules for the simplex method, 1977). O(rows x
 * columns) per step.
 */
final class LinearProgram {
    private static final double ZERO = 1e-11;

    private final int rows;
    private final int columns;
    /**
     * Rows of the constraints and, last, of the objective; columns of the variables, of the slacks and, last, of the
     * right-hand side.
     */
    private final double[][] tableau;

    private final int[] basic;

    private LinearProgram(double[] objective, double[][] constraints, double[] bounds) {
        rows = constraints.length;
        columns = objective.length;
        tableau = new double[rows + 1][columns + rows + 1];
        basic = new int[rows];
        for (int row = 0; row < rows; row++) {
            Invalid.when(!(bounds[row] >= 0), "bound (%s) must not be negative", bounds[row]);
            System.arraycopy(constraints[row], 0, tableau[row], 0, columns);
            tableau[row][columns + row] = 1;
            tableau[row][columns + rows] = bounds[row];
            basic[row] = columns + row;
        }
        for (int column = 0; column < columns; column++) {
            tableau[rows][column] = -objective[column];
        }
    }

    /** The values of the variables at an optimum, which must be bounded. */
    static double[] maximise(double[] objective, double[][] constraints, double[] bounds) {
        LinearProgram programme = new LinearProgram(objective, constraints, bounds);
        programme.solve();
        double[] values = new double[objective.length];
        for (int row = 0; row < programme.rows; row++) {
            if (programme.basic[row] < values.length) {
                values[programme.basic[row]] = Math.max(0, programme.tableau[row][programme.columns + programme.rows]);
            }
        }
        return values;
    }

    private void solve() {
        int withoutGain = 0;
        for (int enters = entering(true); enters >= 0; enters = entering(withoutGain <= rows)) {
            int leaves = leaving(enters);
            Invalid.when(leaves < 0, "the programme is not bounded");
            withoutGain = tableau[leaves][columns + rows] > ZERO ? 0 : withoutGain + 1;
            pivot(leaves, enters);
        }
    }

    /** A column whose increase raises the objective, or -1. */
    private int entering(boolean largest) {
        int best = -1;
        double least = -ZERO;
        for (int column = 0; column < columns + rows; column++) {
            if (tableau[rows][column] < least) {
                best = column;
                if (!largest) {
                    return best;
                }
                least = tableau[rows][column];
            }
        }
        return best;
    }

    /** The row that bounds the column first, of equals the one with the first variable, or -1. */
    private int leaving(int column) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int row = 0; row < rows; row++) {
            if (tableau[row][column] > ZERO) {
                double ratio = tableau[row][columns + rows] / tableau[row][column];
                if (ratio < least || (ratio == least && basic[row] < basic[best])) {
                    best = row;
                    least = ratio;
                }
            }
        }
        return best;
    }

    private void pivot(int row, int column) {
        double[] source = tableau[row];
        double by = source[column];
        for (int i = 0; i < source.length; i++) {
            source[i] /= by;
        }
        for (int other = 0; other <= rows; other++) {
            double factor = tableau[other][column];
            if (other != row && factor != 0) {
                for (int i = 0; i < source.length; i++) {
                    tableau[other][i] -= factor * source[i];
                }
                tableau[other][column] = 0;
            }
        }
        basic[row] = column;
    }
}
