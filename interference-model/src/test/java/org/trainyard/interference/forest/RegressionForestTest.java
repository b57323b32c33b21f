package org.trainyard.interference.forest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.random.RandomGenerator;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;

class RegressionForestTest {
    private static final int WIDTH = 6;
    private static final float CENTRE = 5;

    /** Targets depend on two features; every fifth feature is missing. */
    private static XgBoost.Table table(int rows) {
        RandomGenerator random = RandomStreams.stream(1, "rows");
        float[] features = new float[rows * WIDTH];
        float[] labels = new float[rows];
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < WIDTH; i++) {
                features[row * WIDTH + i] = (float) random.nextGaussian();
            }
            labels[row] = CENTRE + 2 * features[row * WIDTH] + (features[row * WIDTH + 3] > 0 ? 3 : 0);
            features[row * WIDTH + random.nextInt(5)] = Float.NaN;
        }
        return new XgBoost.Table(features, WIDTH, labels);
    }

    private static double[] predictions(Booster booster, float[] features) throws XGBoostError {
        DMatrix matrix = new DMatrix(features, features.length / WIDTH, WIDTH, Float.NaN);
        try {
            return Arrays.stream(booster.predict(matrix))
                    .mapToDouble(row -> row[0])
                    .toArray();
        } finally {
            matrix.dispose();
        }
    }

    @Test
    void flat_trees_say_what_xgboost_says_with_missing_features_too() throws IOException {
        XgBoost.Table table = table(500);
        Map<String, Object> settings = Map.of("subsample", 0.632, "max_depth", 9);
        RegressionForest[] flat = new RegressionForest[1];

        double[] theirs = XgBoost.train(table, RegressionForest.parameters(7, CENTRE, settings, 3), 1, booster -> {
            flat[0] = RegressionForest.of(XgBoost.trees(booster), CENTRE);
            return predictions(booster, table.features());
        });

        double[] ours = flat[0].means(table.features(), WIDTH);
        for (int row = 0; row < theirs.length; row++) {
            assertThat(ours[row]).isCloseTo(theirs[row], within(1e-4));
            float[] one = Arrays.copyOfRange(table.features(), row * WIDTH, (row + 1) * WIDTH);
            assertThat(flat[0].mean(one)).isEqualTo(ours[row]);
        }
    }
}
