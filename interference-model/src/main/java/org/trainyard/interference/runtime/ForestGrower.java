package org.trainyard.interference.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.RandomStreams;

/**
 * Grows forests of run times with XGBoost's random-forest mode.
 *
 * <p>After L. Breiman: Random forests, Machine Learning 45, 2001, with XGBoost's deviations: (1) a tree's jobs are drawn without
 * replacement, (2) splits are looked for between at most 256 quantiles of a feature. Equal tables, settings and seeds give equal
 * forests.
 */
final class ForestGrower {
    private ForestGrower() {}

    static Forest grow(RuntimeRows rows, ForestSettings settings, long seed) {
        float centre = mean(rows.logSeconds());
        List<XgBoostTrees.Tree> trees = XgBoost.train(rows, parameters(settings, centre, seed), 1, booster -> {
            try {
                return XgBoostTrees.read(booster.toByteArray("json"));
            } catch (IOException e) {
                throw new UncheckedIOException("XGBoost's own model cannot be read", e);
            }
        });
        return new ForestLayout(trees, centre).filled(rows, RandomStreams.stream(seed, "forest leaves"));
    }

    private static Map<String, Object> parameters(ForestSettings settings, float centre, long seed) {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("objective", "reg:squarederror");
        parameters.put("tree_method", "hist");
        parameters.put("num_parallel_tree", settings.trees());
        parameters.put("learning_rate", 1);
        parameters.put("lambda", 0);
        parameters.put("base_score", centre);
        parameters.put("min_child_weight", settings.leastLeaf());
        parameters.put("max_depth", settings.deepest());
        parameters.put("subsample", settings.jobsPerTree());
        // Half a feature more, so that rounding down gives the number wanted.
        parameters.put("colsample_bynode", Math.min(1, (settings.featuresPerSplit() + 0.5) / SubmissionFeatures.COUNT));
        parameters.put("seed", (int) (seed & Integer.MAX_VALUE));
        parameters.put("nthread", 1);
        parameters.put("verbosity", 0);
        return parameters;
    }

    private static float mean(float[] values) {
        double sum = 0;
        for (float value : values) {
            sum += value;
        }
        return (float) (sum / values.length);
    }
}
