package org.trainyard.experiments.evaluation;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.trainyard.env.RandomStreams;

/**
 * The 95 % interval of a mean over seeds and episodes, both of which are samples: other seeds would have given other policies, other episodes
 * other jobs.
 *
 * <p>Seeds and episodes are resampled independently of each other, and a resample's mean is that of the cells where they meet (A. B. Owen:
 * The pigeonhole bootstrap, Annals of Applied Statistics 2007, who shows that it errs on the side of caution). Our deviation: (1) percentiles
 * are expanded for few seeds and few episodes as in {@link PairedComparison}; with {@code V} the variances of the mean by seeds and by
 * episodes, the tail is {@code Phi(-k t)}, where {@code k^2} is the sum of {@code V} over the sum of {@code V (n-1)/n}, which is what the
 * bootstrap sees of it, and {@code t} belongs to the degrees of freedom {@code (sum V)^2 / sum(V^2/(n-1))} (F. E. Satterthwaite: An approximate
 * distribution of estimates of variance components, Biometrics Bulletin 1946). When either variance is nought, that is the expansion for the
 * other alone.
 */
final class TwoWayBootstrap {
    private static final String STREAM = "evaluation/two-way bootstrap";

    private TwoWayBootstrap() {}

    /**
     * The interval.
     *
     * @param cells by seed and episode; at least two of each, as many episodes for every seed
     * @param seed root seed of the experiment
     */
    static PairedComparison.Interval interval(double[][] cells, long seed) {
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
        Arrays.sort(means);
        double tail = tail(cells);
        return new PairedComparison.Interval(
                Statistics.percentile(means, tail), Statistics.percentile(means, 1 - tail));
    }

    private static void draw(int[] sample, RandomGenerator random) {
        for (int i = 0; i < sample.length; i++) {
            sample[i] = random.nextInt(sample.length);
        }
    }

    /** What is left out on either side. */
    static double tail(double[][] cells) {
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
            // All cells are one number, whatever is left out.
            return (1 - PairedComparison.LEVEL) / 2;
        }
        double seen = byRow * (rows - 1) / rows + byColumn * (columns - 1) / columns;
        double freedom = all * all / (byRow * byRow / (rows - 1) + byColumn * byColumn / (columns - 1));
        double t = TDistribution.of(freedom).inverseSurvivalProbability((1 - PairedComparison.LEVEL) / 2);
        return NormalDistribution.of(0, 1).cumulativeProbability(-Math.sqrt(all / seen) * t);
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
