package org.trainyard.experiments.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.experiments.evaluation.PairedComparison.Interval;
import org.trainyard.experiments.metrics.Statistics;

class BootstrapDistributionTest {
    @Test
    void p_is_below_5_percent_exactly_when_the_interval_excludes_zero() {
        int excluded = 0;
        for (int world = 0; world < 300; world++) {
            int episodes = 5 + world % 10;
            RandomGenerator random = RandomStreams.stream(world, "test/p");
            // Skewed, and about as often with a difference that is found as without.
            double[] values = DoubleStream.generate(() -> random.nextExponential() - 0.4)
                    .limit(episodes)
                    .toArray();
            BootstrapDistribution means = BootstrapDistribution.ofMean(values, world);
            Interval interval = means.interval();
            boolean excludes = interval.low() > 0 || interval.high() < 0;
            assertThat(means.p() < 0.05).as("world %d", world).isEqualTo(excludes);
            excluded += excludes ? 1 : 0;
        }
        assertThat(excluded).isBetween(60, 240);
    }

    @Test
    void p_of_normal_values_is_near_that_of_students_test() {
        double[] values = {-3.1, 1.2, -0.4, -2.2, 0.9, -1.6, -4.0, 0.2, -1.1, -2.7, 1.9, -0.8};
        double p = BootstrapDistribution.ofMean(values, 4).p();

        assertThat(p).isCloseTo(student(values), within(0.01)).isBetween(0.05, 0.12);
    }

    @Test
    void far_from_zero_p_is_students_although_no_resample_crosses_zero() {
        double[] values = {-9.1, -12.2, -8.4, -9.2, -10.9, -11.6, -7.9, -10.2};

        double p = BootstrapDistribution.ofMean(values, 4).p();

        assertThat(p).isLessThan(1e-5);
        assertThat(Math.log(p)).isCloseTo(Math.log(student(values)), within(0.2));
    }

    @Test
    void p_does_not_depend_on_the_sign_and_is_one_without_any_difference() {
        double[] values = {1, 4, -2, 3, 5, 2, -1, 2};
        double[] negative = Arrays.stream(values).map(value -> -value).toArray();

        assertThat(BootstrapDistribution.ofMean(negative, 9).p())
                .isCloseTo(BootstrapDistribution.ofMean(values, 9).p(), within(1e-12));
        assertThat(BootstrapDistribution.ofMean(new double[6], 9).p()).isEqualTo(1);
        assertThat(BootstrapDistribution.ofMean(new double[] {2, 2, 2, 2, 2}, 9).p())
                .isZero();
    }

    private static double student(double[] values) {
        double mean = Statistics.mean(values);
        double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
        int n = values.length;
        double t = Math.abs(mean) / Math.sqrt(squares / (n - 1) / n);
        return 2 * TDistribution.of(n - 1).survivalProbability(t);
    }
}
