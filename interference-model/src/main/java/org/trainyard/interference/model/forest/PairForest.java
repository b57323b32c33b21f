package org.trainyard.interference.model.forest;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.trainyard.env.InputException;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairEncoder;
import org.trainyard.interference.model.PairModel;

/**
 * One random forest of pairs: XGBoost with many trees in its only round.
 *
 * <p>L. Breiman: Random forests, 2001; T. Chen, C. Guestrin: XGBoost, KDD 2016. Our deviations from Breiman: (1) rows are drawn
 * without putting back; (2) columns are drawn per split as there, trees grow until single rows. Keeps memory outside the heap until collected.
 */
final class PairForest {
    private static final int TREES = 300;
    /** The answer before any tree speaks; trees add what it lacks. */
    private static final double BASE = 0.5;

    private final PairEncoder encoder;
    private final Booster booster;

    private PairForest(PairEncoder encoder, Booster booster) {
        this.encoder = encoder;
        this.booster = booster;
    }

    /** Grows a forest of the rows of one scope, on one thread, in leaves of at least so much weight. */
    static PairForest train(PairEncoder encoder, List<Measurement> rows, double leafWeight, long seed) {
        float[] labels = new float[rows.size()];
        float[] weights = new float[rows.size()];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = (float) rows.get(i).ratio();
            weights[i] = (float) rows.get(i).weight();
        }
        float[] features = encoder.encode(rows.stream().map(Pair::of).toList(), Float.NaN);
        try {
            DMatrix table = new DMatrix(features, labels.length, encoder.width(), Float.NaN);
            try {
                table.setLabel(labels);
                table.setWeight(weights);
                return new PairForest(
                        encoder, XGBoost.train(table, parameters(leafWeight, seed), 1, Map.of(), null, null));
            } finally {
                table.dispose();
            }
        } catch (XGBoostError e) {
            throw new IllegalStateException("XGBoost could not grow trees on (%d) rows".formatted(rows.size()), e);
        }
    }

    private static Map<String, Object> parameters(double leafWeight, long seed) {
        return Map.ofEntries(
                Map.entry("objective", "reg:squarederror"),
                Map.entry("base_score", BASE),
                Map.entry("num_parallel_tree", TREES),
                Map.entry("eta", 1.0),
                Map.entry("lambda", 0.0),
                Map.entry("max_depth", 24),
                Map.entry("min_child_weight", leafWeight),
                Map.entry("subsample", 0.7),
                Map.entry("colsample_bynode", 0.35),
                Map.entry("tree_method", "hist"),
                Map.entry("nthread", 1),
                Map.entry("seed", (int) (seed & Integer.MAX_VALUE)));
    }

    synchronized double[] ratios(List<Pair> pairs) {
        if (pairs.isEmpty()) {
            return new double[0];
        }
        try {
            DMatrix table = new DMatrix(encoder.encode(pairs, Float.NaN), pairs.size(), encoder.width(), Float.NaN);
            try {
                float[][] answers = booster.predict(table);
                double[] ratios = new double[answers.length];
                for (int i = 0; i < ratios.length; i++) {
                    ratios[i] = PairModel.limit(answers[i][0]);
                }
                return ratios;
            } finally {
                table.dispose();
            }
        } catch (XGBoostError e) {
            throw new IllegalStateException("XGBoost could not answer (%d) pairs".formatted(pairs.size()), e);
        }
    }

    PairEncoder encoder() {
        return encoder;
    }

    /** The trees in XGBoost's own binary format. */
    byte[] bytes() {
        try {
            return booster.toByteArray("ubj");
        } catch (XGBoostError e) {
            throw new IllegalStateException("XGBoost could not write its trees", e);
        }
    }

    /** A forest from its trees; {@code place} is the file they were in. */
    static PairForest of(String place, PairEncoder encoder, byte[] bytes) {
        try {
            Booster booster = XGBoost.loadModel(new ByteArrayInputStream(bytes));
            booster.setParam("nthread", 1);
            return new PairForest(encoder, booster);
        } catch (XGBoostError | IOException e) {
            throw new InputException("%s: is damaged: expected the trees of a forest".formatted(place));
        }
    }
}
