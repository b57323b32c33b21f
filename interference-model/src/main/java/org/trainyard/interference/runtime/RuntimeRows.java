package org.trainyard.interference.runtime;

import java.util.Arrays;
import org.trainyard.interference.forest.XgBoost;

/**
 * Training rows of finished jobs: their features, and the natural logarithm of their iterations over the expected ones.
 */
final class RuntimeRows {
    private float[] features = new float[64 * SubmissionFeatures.COUNT];
    private float[] logRatios = new float[64];
    private int size;

    void add(float[] row, double logRatio) {
        if (size == logRatios.length) {
            logRatios = Arrays.copyOf(logRatios, 2 * size);
            features = Arrays.copyOf(features, 2 * size * SubmissionFeatures.COUNT);
        }
        System.arraycopy(row, 0, features, size * SubmissionFeatures.COUNT, SubmissionFeatures.COUNT);
        logRatios[size++] = (float) logRatio;
    }

    int size() {
        return size;
    }

    /** The newest rows, at most {@code most}. */
    RuntimeRows newest(int most) {
        int from = Math.max(0, size - most);
        RuntimeRows newest = new RuntimeRows();
        newest.size = size - from;
        newest.features =
                Arrays.copyOfRange(features, from * SubmissionFeatures.COUNT, size * SubmissionFeatures.COUNT);
        newest.logRatios = Arrays.copyOfRange(logRatios, from, size);
        return newest;
    }

    /** All features, row after row; exactly as long as the rows are. */
    float[] features() {
        return Arrays.copyOf(features, size * SubmissionFeatures.COUNT);
    }

    float[] logRatios() {
        return Arrays.copyOf(logRatios, size);
    }

    /** All rows as a training table. */
    XgBoost.Table table() {
        return new XgBoost.Table(features(), SubmissionFeatures.COUNT, logRatios());
    }
}
