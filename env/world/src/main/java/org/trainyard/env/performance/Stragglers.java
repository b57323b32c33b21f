package org.trainyard.env.performance;

import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.JobSpec;

/**
 * The stretch of an iteration's compute time because every worker waits for the slowest.
 *
 * <p>The times of a job's workers are assumed to be normal with the job's coefficient of variation {@code c}, so an
 * iteration on {@code w} workers takes {@code 1 + c m(w)} times as long on average, where {@code m(w)} is the expected
 * maximum of {@code w} standard normal numbers (H. L. Harter: Expected values of normal order statistics, Biometrika
 * 1961).
 *
 * <p>Deviations: (1) every iteration takes the mean time, since jobs have thousands; (2) measured variation is skewed,
 * not normal. {@link #measured} draws from the deciles over 100 jobs of the mean variation that Alibaba measured among
 * ten workers of each (trace of GPU cluster 2020, Q. Weng et al.: MLaaS in the wild, NSDI 2022).
 */
public final class Stragglers {
    /** All workers take the same time. */
    public static final Stragglers NONE = new Stragglers(0, 0);

    private static final double[] DECILES = {0.020, 0.039, 0.055, 0.068, 0.083, 0.103, 0.194, 0.522, 0.707, 1.106, 2.939
    };
    /** Expected maximum of 1, 2, 4, … standard normal numbers. */
    private static final double[] GREATEST = {
        0, 0.56419, 1.02938, 1.42360, 1.76599, 2.06967, 2.34373, 2.59460, 2.82686, 3.04390, 3.24824
    };

    private final double scale;
    private final long seed;

    private Stragglers(double scale, long seed) {
        this.scale = scale;
        this.seed = seed;
    }

    /**
     * Each job draws its variation from the measured deciles by its name.
     *
     * @param scale factor on the drawn variation; 1 as measured, 0 for none
     */
    public static Stragglers measured(double scale, long seed) {
        if (!(scale >= 0) || Double.isInfinite(scale)) {
            throw new IllegalArgumentException(
                    "scale (%s) of stragglers must be finite and not negative".formatted(scale));
        }
        return new Stragglers(scale, seed);
    }

    /** The factor on compute time with so many workers, at least 1. */
    public double stretch(JobSpec job, int workers) {
        return scale == 0 || workers < 2 ? 1 : 1 + variation(job) * greatest(workers);
    }

    /** The job's own coefficient of variation. */
    double variation(JobSpec job) {
        double at = RandomStreams.stream(seed, "stragglers of " + job.name()).nextDouble() * (DECILES.length - 1);
        return scale * interpolate(DECILES, at);
    }

    /** Expected maximum of so many standard normal numbers. */
    static double greatest(int workers) {
        double at = Math.log(workers) / Math.log(2);
        return at >= GREATEST.length - 1 ? GREATEST[GREATEST.length - 1] : interpolate(GREATEST, at);
    }

    private static double interpolate(double[] table, double at) {
        int below = Math.min((int) at, table.length - 2);
        return table[below] + (at - below) * (table[below + 1] - table[below]);
    }
}
