package org.trainyard.agents.learned.ppo;

import java.util.List;

/**
 * A linear function of features of the state, fitted to costs by ridge regression: the part of a cost that the state
 * explains before the decision. Features are in units of their spread, so that the penalty does not depend on their
 * units.
 *
 * <p>Seven unknowns are too few for a library of linear algebra; the system is positive definite and solved by Gauss'
 * elimination.
 */
final class ControlVariate {
    private static final double RIDGE = 1e-3;
    private static final int FIGURES = EpisodeRecord.FIGURES;

    private final double[] squares = new double[FIGURES];
    private final double[][] normal = new double[FIGURES + 1][FIGURES + 2];
    private final double[] row = new double[FIGURES + 1];
    private long count;

    /**
     * The weights of the features; the intercept is left out.
     *
     * @param costs by episode and segment
     * @param figures by episode and segment, {@value #FIGURES} each
     */
    static double[] fit(List<EpisodeRecord> records, List<double[]> costs, List<double[]> figures) {
        ControlVariate variate = new ControlVariate();
        for (int i = 0; i < records.size(); i++) {
            variate.addSquares(records.get(i), figures.get(i));
        }
        for (int i = 0; i < records.size(); i++) {
            variate.addProducts(records.get(i), costs.get(i), figures.get(i));
        }
        return variate.weights();
    }

    private double spread(int figure) {
        return Math.sqrt(squares[figure] / Math.max(1, count)) + 1e-9;
    }

    private void addSquares(EpisodeRecord record, double[] figures) {
        for (int a = 0; a < record.auctions; a++) {
            int at = record.segment[a] * FIGURES;
            for (int f = 0; f < FIGURES; f++) {
                squares[f] += figures[at + f] * figures[at + f];
            }
            count++;
        }
    }

    private void addProducts(EpisodeRecord record, double[] costs, double[] figures) {
        for (int a = 0; a < record.auctions; a++) {
            int segment = record.segment[a];
            for (int f = 0; f < FIGURES; f++) {
                row[f] = figures[segment * FIGURES + f] / spread(f);
            }
            row[FIGURES] = 1;
            for (int f = 0; f <= FIGURES; f++) {
                for (int g = 0; g <= FIGURES; g++) {
                    normal[f][g] += row[f] * row[g];
                }
                normal[f][FIGURES + 1] += row[f] * costs[segment];
            }
        }
    }

    private double[] weights() {
        for (int f = 0; f < FIGURES; f++) {
            normal[f][f] += RIDGE * Math.max(1, count);
        }
        normal[FIGURES][FIGURES] += 1e-9;
        double[] solution = solve(normal);
        double[] weights = new double[FIGURES];
        for (int f = 0; f < FIGURES; f++) {
            weights[f] = solution[f] / spread(f);
        }
        return weights;
    }

    /** Gauss' elimination of a positive definite system with its right side in the last column. */
    private static double[] solve(double[][] system) {
        int n = system.length;
        for (int p = 0; p < n; p++) {
            for (int r = p + 1; r < n; r++) {
                double factor = system[r][p] / system[p][p];
                for (int c = p; c <= n; c++) {
                    system[r][c] -= factor * system[p][c];
                }
            }
        }
        double[] solution = new double[n];
        for (int r = n - 1; r >= 0; r--) {
            double sum = system[r][n];
            for (int c = r + 1; c < n; c++) {
                sum -= system[r][c] * solution[c];
            }
            solution[r] = sum / system[r][r];
        }
        return solution;
    }
}
