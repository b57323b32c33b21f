package org.trainyard.env.workload.trace.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How numbers of zero or more are spread, in constant memory: each number while they are few, then buckets that grow by
 * 3 %.
 */
final class LogHistogram {
    private static final double GROWTH = Math.log(1.03);
    private static final double LEAST = 1e-3;
    private static final int BUCKETS = 1400;

    private final int mostKept;
    /** All numbers, as long as they are few. */
    private double[] kept = new double[16];

    private long[] counts = {};
    private long zeros;
    private long all;
    private double sum;
    private double least = Double.POSITIVE_INFINITY;
    private double most;
    private boolean sorted;

    /** @param mostKept numbers up to which quantiles are exact */
    LogHistogram(int mostKept) {
        this.mostKept = mostKept;
    }

    void add(double value) {
        if (all < mostKept) {
            if (all == kept.length) {
                kept = Arrays.copyOf(kept, Math.min(mostKept, 2 * kept.length));
            }
            kept[(int) all] = value;
            sorted = false;
        } else {
            if (all == mostKept) {
                counts = new long[BUCKETS];
                Arrays.stream(kept).forEach(this::count);
                kept = new double[0];
            }
            count(value);
        }
        all++;
        sum += value;
        least = Math.min(least, value);
        most = Math.max(most, value);
    }

    private void count(double value) {
        if (value < LEAST) {
            zeros++;
        } else {
            counts[bucket(value)]++;
        }
    }

    private static int bucket(double value) {
        return Math.min(BUCKETS - 1, (int) (Math.log(value / LEAST) / GROWTH));
    }

    private boolean isExact() {
        return all <= mostKept;
    }

    private double[] sorted() {
        if (!sorted) {
            Arrays.sort(kept, 0, (int) all);
            sorted = true;
        }
        return kept;
    }

    long count() {
        return all;
    }

    double mean() {
        return all == 0 ? 0 : sum / all;
    }

    double min() {
        return all == 0 ? 0 : least;
    }

    double max() {
        return most;
    }

    /** The smallest number with at least that part of the numbers at or below it; within 3 % when they are many. */
    double quantile(double part) {
        long wanted = Math.max(1, (long) Math.ceil(part * all));
        if (all == 0) {
            return 0;
        }
        if (isExact()) {
            return sorted()[(int) wanted - 1];
        }
        long below = zeros;
        if (below >= wanted) {
            return 0;
        }
        for (int i = 0; i < BUCKETS; i++) {
            below += counts[i];
            if (below >= wanted) {
                return Math.max(least, Math.min(most, LEAST * Math.exp(GROWTH * (i + 0.5))));
            }
        }
        return most;
    }

    /** How many numbers are at most so large; to a bucket when they are many. */
    long atMost(double value) {
        if (isExact()) {
            return Arrays.stream(kept, 0, (int) all).filter(one -> one <= value).count();
        }
        long below = zeros;
        for (int i = 0; value >= LEAST && i <= bucket(value); i++) {
            below += counts[i];
        }
        return below;
    }

    /** Quantiles at equal distances, from the least number to the greatest. */
    List<Double> quantiles(int count) {
        List<Double> quantiles = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            quantiles.add(i == 0 ? min() : i == count - 1 ? max() : quantile((double) i / (count - 1)));
        }
        return quantiles;
    }
}
