package org.trainyard.experiments.simulation;

import java.util.Map;
import java.util.TreeMap;
import org.trainyard.env.Invalid;

/**
 * Quantiles of a stream of values that are not kept: counts in buckets whose bounds grow by a factor, so that every
 * quantile is known to {@value #RELATIVE_ERROR} of its value.
 *
 * <p>Source: C. Masson, J. E. Rim, H. K. Lee: DDSketch: a fast and fully-mergeable quantile sketch with relative-error
 * guarantees, PVLDB 12 (2019). Our deviation: (1) buckets are never collapsed; values below {@value #LEAST} count as
 * zero.
 */
public final class QuantileSketch {
    /** Relative error of a quantile, either way. */
    static final double RELATIVE_ERROR = 0.005;

    private static final double LEAST = 1e-6;
    private static final double FACTOR = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR);
    private static final double LOG_FACTOR = Math.log(FACTOR);

    /** Values by bucket: bucket b holds those above {@code FACTOR^(b-1)} up to {@code FACTOR^b}. */
    private final TreeMap<Integer, Long> buckets = new TreeMap<>();

    private long zeros;
    private long count;

    /** @param value not negative */
    void add(double value) {
        Invalid.when(!(value >= 0) || Double.isInfinite(value), "value (%s) must be finite and not negative", value);
        count++;
        if (value < LEAST) {
            zeros++;
        } else {
            buckets.merge((int) Math.ceil(Math.log(value) / LOG_FACTOR), 1L, Long::sum);
        }
    }

    /**
     * The value at position {@code share x (n - 1)}, rounded down, of the sorted values, counted from 0; NaN of no
     * values.
     */
    double quantile(double share) {
        if (count == 0) {
            return Double.NaN;
        }
        long left = (long) (share * (count - 1)) + 1 - zeros;
        if (left <= 0) {
            return 0;
        }
        for (Map.Entry<Integer, Long> bucket : buckets.entrySet()) {
            left -= bucket.getValue();
            if (left <= 0) {
                return 2 * Math.exp(bucket.getKey() * LOG_FACTOR) / (1 + FACTOR);
            }
        }
        throw new IllegalStateException("no value of share (%s) among (%d)".formatted(share, count));
    }
}
