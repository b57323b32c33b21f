package org.trainyard.interference.runtime;

import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/** XGBoost's trainer, on one thread, with its failures said in a sentence. */
final class XgBoost {
    private XgBoost() {}

    /** What becomes of a trained booster before it is closed. */
    interface Use<T> {
        T of(Booster booster) throws XGBoostError;
    }

    /** Trains on a table and hands over the booster for as long as {@code use} takes. */
    static <T> T train(RuntimeRows rows, Map<String, Object> parameters, int rounds, Use<T> use) {
        Booster booster = null;
        DMatrix table = null;
        try {
            table = new DMatrix(rows.features(), rows.size(), SubmissionFeatures.COUNT, Float.NaN);
            table.setLabel(rows.logSeconds());
            booster = XGBoost.train(table, parameters, rounds, Map.of(), null, null);
            return use.of(booster);
        } catch (XGBoostError e) {
            throw new IllegalStateException("XGBoost could not grow trees on (%d) jobs".formatted(rows.size()), e);
        } catch (LinkageError e) {
            throw new IllegalStateException(
                    "XGBoost's native library cannot be loaded: %s.\nMaybe libgomp (Linux) or libomp (macOS) is not installed."
                            .formatted(e.getMessage()),
                    e);
        } finally {
            if (booster != null) {
                booster.dispose();
            }
            if (table != null) {
                table.dispose();
            }
        }
    }

    /** XGBoost's answers for rows that stand one after the other. */
    static double[] predict(Booster booster, float[] rows) throws XGBoostError {
        DMatrix table = new DMatrix(rows, rows.length / SubmissionFeatures.COUNT, SubmissionFeatures.COUNT, Float.NaN);
        try {
            float[][] answers = booster.predict(table);
            double[] flat = new double[answers.length];
            for (int row = 0; row < flat.length; row++) {
                flat[row] = answers[row][0];
            }
            return flat;
        } finally {
            table.dispose();
        }
    }
}
