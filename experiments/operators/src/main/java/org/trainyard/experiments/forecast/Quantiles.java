package org.trainyard.experiments.forecast;

/** A distribution of waits from now, by three of its quantiles, seconds; infinite where the job may never start. */
public record Quantiles(double p10, double p50, double p90) {
    /** The quantiles of a sample, sorted ascending. */
    static Quantiles of(double[] sorted) {
        return new Quantiles(at(sorted, 0.1), at(sorted, 0.5), at(sorted, 0.9));
    }

    private static double at(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        double part = place - below;
        return part == 0 ? sorted[below] : sorted[below] * (1 - part) + sorted[above] * part;
    }

    /** Whether the interval from p10 to p90 has this wait; an interval without width has a second on each side. */
    boolean covers(double seconds) {
        return seconds >= p10 - 1 && seconds <= p90 + 1;
    }
}
