package org.trainyard.experiments.evaluation;

import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.experiments.metrics.Statistics;

/**
 * The bootstrap of a mean over seeds and episodes, which are two crossed samples.
 *
 * <p>Seeds and episodes are resampled independently, and the mean of a resample is that of the cells at their crossings
 * (A. B. Owen: The pigeonhole bootstrap, Annals of Applied Statistics 2007, who shows that it is conservative). Our
 * deviation: (1) percentiles are expanded for few seeds and few episodes as in {@link PairedComparison}. With {@code V}
 * the variances of the mean by seeds and by episodes, the tail is {@code Phi(-k t)}, where {@code k^2} is the sum of
 * {@code V} over the sum of {@code V (n-1)/n}, the variance that the bootstrap sees, and {@code t} has {@code (sum V)^2
 * / sum(V^2/(n-1))} degrees of freedom (F. E. Satterthwaite: An approximate distribution of estimates of variance
 * components, Biometrics Bulletin 1946). When one variance is zero, this is the expansion for the other sample alone.
 */
final class TwoWayBootstrap {
    private static final String STREAM = "evaluation/two-way bootstrap";

    private TwoWayBootstrap() {}

    /**
     * The distribution of the mean.
     *
     * @param cells by seed and episode; at least two of each
     * @param seed root seed of the experiment
     */
    static BootstrapDistribution distribution(double[][] cells, long seed) {
        int rows = cells.length;
        int columns = cells[0].length;
        RandomGenerator random = RandomStreams.stream(seed, STREAM);
        double[] means = new double[PairedComparison.RESAMPLES];
        int[] row = new int[rows];
        int[] column = new int[columns];
        for (int r = 0; r < means.length; r++) {
            draw(row, random);
            draw(column, random);
            double sum = 0;
            for (int i : row) {
                for (int j : column) {
                    sum += cells[i][j];
                }
            }
            means[r] = sum / (rows * columns);
        }
        return new BootstrapDistribution(means, expansion(cells));
    }

    private static void draw(int[] sample, RandomGenerator random) {
        for (int i = 0; i < sample.length; i++) {
            sample[i] = random.nextInt(sample.length);
        }
    }

    /** The expansion for these numbers of seeds and episodes. */
    static PercentileExpansion expansion(double[][] cells) {
        int rows = cells.length;
        int columns = cells[0].length;
        double[] rowMeans = new double[rows];
        double[] columnMeans = new double[columns];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                rowMeans[i] += cells[i][j] / columns;
                columnMeans[j] += cells[i][j] / rows;
            }
        }
        double byRow = varianceOfMean(rowMeans);
        double byColumn = varianceOfMean(columnMeans);
        double all = byRow + byColumn;
        if (all == 0) {
            // All seeds and all episodes have the same mean; percentiles stay where they are.
            return new PercentileExpansion(1, Double.MAX_VALUE);
        }
        double seen = byRow * (rows - 1) / rows + byColumn * (columns - 1) / columns;
        double freedom = all * all / (byRow * byRow / (rows - 1) + byColumn * byColumn / (columns - 1));
        return new PercentileExpansion(Math.sqrt(all / seen), freedom);
    }

    private static double varianceOfMean(double[] values) {
        double mean = Statistics.mean(values);
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return squares / (values.length - 1) / values.length;
    }
}
