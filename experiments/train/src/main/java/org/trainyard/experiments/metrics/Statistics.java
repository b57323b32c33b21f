package org.trainyard.experiments.metrics;

import java.util.Arrays;
import org.trainyard.env.Invalid;

/** Means and percentiles. */
public final class Statistics {
    private static final long NANOS = 1_000_000_000L;

    private Statistics() {}

    /** Mean in seconds; the sum is exact and does not depend on the order. */
    public static double meanSeconds(long[] nanos) {
        requireSome(nanos.length);
        long seconds = 0;
        long rest = 0;
        for (long value : nanos) {
            seconds += Math.floorDiv(value, NANOS);
            rest += Math.floorMod(value, NANOS);
        }
        seconds += rest / NANOS;
        return (seconds + (rest % NANOS) / 1e9) / nanos.length;
    }

    /** Arithmetic mean, summed in order. */
    public static double mean(double[] values) {
        requireSome(values.length);
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }

    /**
     * Percentile by linear interpolation between closest ranks: the value at position {@code share x (n - 1)} of the
     * sorted values, counted from 0 (type 7 of R. J. Hyndman, Y. Fan: Sample quantiles in statistical packages, 1996;
     * the default of R and NumPy).
     *
     * @param sorted in increasing order
     * @param share 0.5 for the median
     */
    public static double percentile(double[] sorted, double share) {
        requireSome(sorted.length);
        Invalid.when(!(share >= 0 && share <= 1), "share (%s) must lie in 0..1", share);
        double position = share * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    /** Sorted seconds of nanoseconds. */
    public static double[] sortedSeconds(long[] nanos) {
        double[] seconds = new double[nanos.length];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = nanos[i] / 1e9;
        }
        Arrays.sort(seconds);
        return seconds;
    }

    private static void requireSome(int count) {
        Invalid.when(count == 0, "no values");
    }
}
