package org.trainyard.env.workload.generator;

import java.util.random.RandomGenerator;

/**
 * A Poisson process thinned by a daily curve: {@code rate(t) = base x (1 + a cos(2 pi (t - peak) / day))}, midnight
 * at zero (P. Lewis, G. Shedler: Simulation of nonhomogeneous Poisson processes by thinning, 1979).
 */
final class DailyArrivals {
    private static final double DAY = 86_400;

    private final double amplitude;
    private final double peakSeconds;
    private final double basePerSecond;

    /** Such that {@code count} arrivals are expected in the first {@code spanSeconds}. */
    DailyArrivals(double amplitude, double peakHour, int count, double spanSeconds) {
        this.amplitude = amplitude;
        peakSeconds = peakHour * 3600;
        basePerSecond = count / (integral(spanSeconds) - integral(0));
    }

    private double integral(double seconds) {
        return seconds + amplitude * DAY / (2 * Math.PI) * Math.sin(2 * Math.PI * (seconds - peakSeconds) / DAY);
    }

    /** The next arrival after an instant. */
    double next(double seconds, RandomGenerator random) {
        double most = basePerSecond * (1 + amplitude);
        double at = seconds;
        do {
            at -= Math.log(1 - random.nextDouble()) / most;
        } while (random.nextDouble() * most >= rate(at));
        return at;
    }

    private double rate(double seconds) {
        return basePerSecond * (1 + amplitude * Math.cos(2 * Math.PI * (seconds - peakSeconds) / DAY));
    }
}
