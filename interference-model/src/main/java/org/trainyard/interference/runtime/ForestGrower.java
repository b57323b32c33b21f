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
 * <p>After L. Breiman: Random forests, Machine Learning 45, 2001, with deviations: (1) a tree's jobs are drawn without replacement, (2) splits
 * are looked for between at most 256 quantiles of a feature, both XGBoost's ways, and between fewer when jobs are few, which is where most of the
 * time of a small forest goes: one for every 8 jobs, at least 32; (3) features that are the same for all jobs, as where a
 * log says nothing of resources, do not count among those drawn for a split: more are drawn to make up for them. Equal tables, settings and seeds give equal
 * forests.
 */
final class ForestGrower {
    private static final int LEAST_QUANTILES = 32;
    private static final int MOST_QUANTILES = 256;
    private static final int JOBS_PER_QUANTILE = 8;

    private ForestGrower() {}

    static Forest grow(RuntimeRows rows, ForestSettings settings, long seed) {
        float centre = mean(rows.logSeconds());
        List<XgBoostTrees.Tree> trees = XgBoost.train(rows, parameters(settings, rows, centre, seed), 1, booster -> {
            try {
                return XgBoostTrees.read(booster.toByteArray("json"));
            } catch (IOException e) {
                throw new UncheckedIOException("XGBoost's own model cannot be read", e);
            }
        });
        return new ForestLayout(trees, centre).filled(rows, RandomStreams.stream(seed, "forest leaves"));
    }

    private static Map<String, Object> parameters(ForestSettings settings, RuntimeRows rows, float centre, long seed) {
        Map<String, Object> parameters = new HashMap<>();
        int quantiles = Math.max(LEAST_QUANTILES, Math.min(MOST_QUANTILES, rows.size() / JOBS_PER_QUANTILE));
        parameters.put("objective", "reg:squarederror");
        parameters.put("tree_method", "hist");
        parameters.put("max_bin", quantiles);
        parameters.put("num_parallel_tree", settings.trees());
        parameters.put("learning_rate", 1);
        parameters.put("lambda", 0);
        parameters.put("base_score", centre);
        parameters.put("min_child_weight", settings.leastLeaf());
        parameters.put("max_depth", settings.deepest());
        parameters.put("subsample", settings.jobsPerTree());
        parameters.put("colsample_bynode", Math.min(1, (settings.featuresPerSplit() + 0.5) / varying(rows)));
        parameters.put("seed", (int) (seed & Integer.MAX_VALUE));
        parameters.put("nthread", 1);
        parameters.put("verbosity", 0);
        return parameters;
    }

    /** How many features are not the same for all jobs; at least one. */
    private static int varying(RuntimeRows rows) {
        float[] features = rows.features();
        boolean[] varies = new boolean[SubmissionFeatures.COUNT];
        int count = 0;
        for (int i = SubmissionFeatures.COUNT; i < features.length; i++) {
            int feature = i % SubmissionFeatures.COUNT;
            if (!varies[feature] && features[i] != features[feature]) {
                varies[feature] = true;
                count++;
            }
        }
        return Math.max(1, count);
    }

    private static float mean(float[] values) {
        double sum = 0;
        for (float value : values) {
            sum += value;
        }
        return (float) (sum / values.length);
    }
}
