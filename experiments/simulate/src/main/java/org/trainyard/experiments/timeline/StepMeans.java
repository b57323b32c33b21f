package org.trainyard.experiments.timeline;

import java.util.Arrays;
import org.trainyard.env.Invalid;

/**
 * Means over time of quantities that change in steps, in equal intervals of a bounded number.
 *
 * <p>An interval begins with a second; whenever time exceeds the last interval, each two become one. So memory does not
 * grow with the run, and every mean stays that of all values in its interval, each weighted by how long it lasted.
 */
public final class StepMeans {
    private static final long FIRST_NANOS = 1_000_000_000L;

    private final int mostIntervals;
    private final double[] values;
    /** By quantity and interval: value times seconds. */
    private final double[][] integrals;

    private long widthNanos = FIRST_NANOS;
    private long originNanos = -1;
    private long nowNanos = -1;

    /** @param mostIntervals an even number */
    public StepMeans(int quantities, int mostIntervals) {
        Invalid.when(
                mostIntervals < 2 || mostIntervals % 2 != 0, "intervals (%d) must be an even number", mostIntervals);
        this.mostIntervals = mostIntervals;
        values = new double[quantities];
        integrals = new double[quantities][mostIntervals];
    }

    /** The quantity has this value from now on. */
    void set(int quantity, double value) {
        values[quantity] = value;
    }

    /** The quantity changes by so much now. */
    public void add(int quantity, double change) {
        values[quantity] += change;
    }

    /** Time passes up to an instant; the first call is the origin. */
    public void to(long nanos) {
        if (originNanos < 0) {
            originNanos = nanos;
            nowNanos = nanos;
        }
        while (nanos - originNanos > widthNanos * mostIntervals) {
            halve();
        }
        while (nowNanos < nanos) {
            int interval = (int) ((nowNanos - originNanos) / widthNanos);
            long until = Math.min(nanos, originNanos + (interval + 1) * widthNanos);
            double seconds = (until - nowNanos) / 1e9;
            for (int quantity = 0; quantity < values.length; quantity++) {
                integrals[quantity][interval] += values[quantity] * seconds;
            }
            nowNanos = until;
        }
    }

    private void halve() {
        widthNanos *= 2;
        for (double[] integral : integrals) {
            for (int i = 0; i < mostIntervals / 2; i++) {
                integral[i] = integral[2 * i] + integral[2 * i + 1];
            }
            Arrays.fill(integral, mostIntervals / 2, mostIntervals, 0);
        }
    }

    /** The means so far; no interval when no time has passed. */
    public Series series(String[] names) {
        long span = nowNanos - originNanos;
        int intervals = (int) ((span + widthNanos - 1) / widthNanos);
        double[][] means = new double[values.length][intervals];
        for (int i = 0; i < intervals; i++) {
            double seconds = (Math.min(span, (i + 1) * widthNanos) - i * widthNanos) / 1e9;
            for (int quantity = 0; quantity < values.length; quantity++) {
                means[quantity][i] = integrals[quantity][i] / seconds;
            }
        }
        return new Series(names, Math.max(0, originNanos), widthNanos, Math.max(0, nowNanos), means);
    }
}
