package org.trainyard.interference.runtime;

import java.util.Map;
import org.trainyard.env.RandomStreams;
import org.trainyard.interference.forest.RegressionForest;

/**
 * Grows forests of run times: of what is left when expected iterations are divided out.
 *
 * <p>Our choices beside those of {@link RegressionForest}: (1) splits are looked for between one quantile of a feature
 * per 8 jobs, at least 32 and at most 256, because small forests spend most of their time there; (2) features that are
 * equal for all jobs, as where a log records no resources, do not count among those drawn for a split.
 */
final class ForestGrower {
    private static final int LEAST_QUANTILES = 32;
    private static final int MOST_QUANTILES = 256;
    private static final int JOBS_PER_QUANTILE = 8;

    private ForestGrower() {}

    /** Grows a forest; equal rows, settings and seeds give equal forests. */
    static RegressionForest grow(RuntimeRows rows, ForestSettings settings, long seed) {
        Map<String, Object> parameters = Map.of(
                "max_bin", Math.max(LEAST_QUANTILES, Math.min(MOST_QUANTILES, rows.size() / JOBS_PER_QUANTILE)),
                "min_child_weight", settings.leastLeaf(),
                "max_depth", settings.deepest(),
                "subsample", settings.jobsPerTree(),
                "colsample_bynode", Math.min(1, (settings.featuresPerSplit() + 0.5) / varying(rows)));
        return RegressionForest.grow(
                rows.table(),
                settings.trees(),
                mean(rows.logRatios()),
                parameters,
                seed,
                RandomStreams.stream(seed, "forest leaves"));
    }

    /** Number of features that differ between jobs; at least one. */
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
