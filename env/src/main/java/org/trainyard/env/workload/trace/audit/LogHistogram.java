package org.trainyard.env.workload.trace.audit;

/** A histogram of numbers above zero in buckets that grow by 3 %, in constant memory; what is zero counts apart. */
final class LogHistogram {
    private static final double GROWTH = Math.log(1.03);
    private static final double LEAST = 1e-3;
    private static final int BUCKETS = 1400;

    private final long[] counts = new long[BUCKETS];
    private long zeros;
    private long all;
    private double sum;

    void add(double value) {
        all++;
        sum += value;
        if (value < LEAST) {
            zeros++;
        } else {
            counts[Math.min(BUCKETS - 1, (int) (Math.log(value / LEAST) / GROWTH))]++;
        }
    }

    long count() {
        return all;
    }

    double mean() {
        return all == 0 ? 0 : sum / all;
    }

    /** The value below which that part of the numbers lies, within 3 %. */
    double quantile(double part) {
        long below = zeros;
        long wanted = (long) Math.ceil(part * all);
        if (below >= wanted) {
            return 0;
        }
        for (int i = 0; i < BUCKETS; i++) {
            below += counts[i];
            if (below >= wanted) {
                return LEAST * Math.exp(GROWTH * (i + 0.5));
            }
        }
        return LEAST * Math.exp(GROWTH * BUCKETS);
    }
}
