package org.trainyard.interference.forest;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/**
 * XGBoost on one thread (T. Chen, C. Guestrin: XGBoost, KDD 2016): trains squared-error trees; native memory is freed
 * before a method returns.
 */
public final class XgBoost {
    private XgBoost() {}

    /**
     * A training table; NaN stands for a missing feature. Arrays are handed over, not copied.
     *
     * @param features row after row
     * @param width features of a row
     * @param labels a target per row
     */
    @SuppressWarnings("ArrayRecordComponent") // Hand-over of a table to native code.
    public record Table(float[] features, int width, float[] labels) {}

    /** Use of a trained booster before it is freed. */
    @FunctionalInterface
    interface Use<T> {
        T of(Booster booster) throws XGBoostError, IOException;
    }

    /** Parameters of squared error on one thread with these in addition. */
    static Map<String, Object> parameters(long seed, Map<String, Object> more) {
        Map<String, Object> parameters = new HashMap<>(more);
        parameters.put("objective", "reg:squarederror");
        parameters.put("tree_method", "hist");
        parameters.put("seed", (int) (seed & Integer.MAX_VALUE));
        parameters.put("nthread", 1);
        parameters.put("verbosity", 0);
        return parameters;
    }

    /** Trains on a table and lends the booster to {@code use}. */
    static <T> T train(Table table, Map<String, Object> parameters, int rounds, Use<T> use) {
        Booster booster = null;
        DMatrix matrix = null;
        try {
            matrix = new DMatrix(table.features(), table.labels().length, table.width(), Float.NaN);
            matrix.setLabel(table.labels());
            booster = XGBoost.train(matrix, parameters, rounds, Map.of(), null, null);
            return use.of(booster);
        } catch (XGBoostError | IOException e) {
            throw new IllegalStateException(
                    "XGBoost could not grow trees on (%d) rows".formatted(table.labels().length), e);
        } catch (LinkageError e) {
            throw new IllegalStateException(
                    "XGBoost's native library cannot be loaded: %s.\nMaybe libgomp (Linux) or libomp (macOS) is not installed."
                            .formatted(e.getMessage()),
                    e);
        } finally {
            if (booster != null) {
                booster.dispose();
            }
            if (matrix != null) {
                matrix.dispose();
            }
        }
    }

    static List<XgBoostTrees.Tree> trees(Booster booster) throws XGBoostError, IOException {
        return XgBoostTrees.read(booster.toByteArray("json"));
    }
}
