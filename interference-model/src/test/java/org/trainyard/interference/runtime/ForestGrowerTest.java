package org.trainyard.interference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.interference.forest.RegressionForest;

class ForestGrowerTest {
    private static final int WIDTH = SubmissionFeatures.COUNT;

    /** Two features decide, one of them with a jump, and there is noise. */
    private static RuntimeRows rows(int count, long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "rows");
        RuntimeRows rows = new RuntimeRows();
        for (int i = 0; i < count; i++) {
            float[] row = new float[WIDTH];
            for (int feature = 0; feature < WIDTH; feature++) {
                row[feature] = (float) random.nextGaussian();
            }
            rows.add(row, truth(row) + 0.5 * random.nextGaussian());
        }
        return rows;
    }

    private static double truth(float[] row) {
        return 5 + 2 * row[3] + (row[7] > 0 ? 3 : 0);
    }

    private static float[] row(RuntimeRows rows, int row) {
        return Arrays.copyOfRange(rows.features(), row * WIDTH, (row + 1) * WIDTH);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void it_explains_most_of_what_can_be_explained(long seed) {
        RegressionForest forest = ForestGrower.grow(rows(800, seed), ForestRuntimePredictorTest.small(), seed);
        RuntimeRows fresh = rows(200, seed + 1000);
        double error = 0;
        double spread = 0;
        for (int row = 0; row < fresh.size(); row++) {
            double truth = truth(row(fresh, row));
            error += Math.pow(forest.mean(row(fresh, row)) - truth, 2);
            spread += Math.pow(6.5 - truth, 2);
        }
        assertThat(error).isLessThan(0.35 * spread);
    }

    @Test
    void quantiles_hold_their_share_of_fresh_jobs_and_never_cross() {
        RegressionForest forest = ForestGrower.grow(rows(2000, 1), ForestSettings.DEFAULT, 1);
        RuntimeRows fresh = rows(1000, 2);
        float[] logs = fresh.logRatios();
        int below50 = 0;
        int below90 = 0;
        for (int row = 0; row < fresh.size(); row++) {
            double[] distribution = forest.distribution(row(fresh, row));
            double p50 = RegressionForest.quantile(distribution, 0.5);
            double p90 = RegressionForest.quantile(distribution, 0.9);
            assertThat(p50).isLessThanOrEqualTo(p90);
            below50 += logs[row] <= p50 ? 1 : 0;
            below90 += logs[row] <= p90 ? 1 : 0;
        }
        assertThat(below50 / 1000.0).isBetween(0.42, 0.58);
        assertThat(below90 / 1000.0).isBetween(0.85, 0.985);
    }

    @Test
    void equal_tables_and_seeds_give_equal_forests_and_other_seeds_others() {
        RuntimeRows rows = rows(400, 1);
        double[] once =
                ForestGrower.grow(rows, ForestRuntimePredictorTest.small(), 9).means(rows.features(), WIDTH);
        double[] again =
                ForestGrower.grow(rows, ForestRuntimePredictorTest.small(), 9).means(rows.features(), WIDTH);
        double[] other =
                ForestGrower.grow(rows, ForestRuntimePredictorTest.small(), 10).means(rows.features(), WIDTH);
        assertThat(again).isEqualTo(once);
        assertThat(other).isNotEqualTo(once);
    }

    @Test
    void a_constant_is_learned_as_it_is() {
        RuntimeRows rows = new RuntimeRows();
        for (int i = 0; i < 40; i++) {
            rows.add(new float[WIDTH], 3);
        }
        RegressionForest forest = ForestGrower.grow(rows, ForestRuntimePredictorTest.small(), 1);
        assertThat(forest.mean(new float[WIDTH])).isCloseTo(3, within(1e-6));
        assertThat(forest.distribution(new float[WIDTH])).containsOnly(3.0);
    }
}
