package org.trainyard.experiments.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;

class StepMeansTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String[] NAME = {"x"};

    @Test
    void a_mean_weighs_each_value_by_how_long_it_lasted() {
        StepMeans means = new StepMeans(1, 4);
        means.to(0);
        means.set(0, 8);
        means.to(SECOND / 4);
        means.add(0, -8);
        means.to(5 * SECOND / 2);

        Series series = means.series(NAME);

        assertThat(series.size()).isEqualTo(3);
        assertThat(series.mean("x", 0)).isEqualTo(2);
        assertThat(series.mean("x", 1)).isZero();
        assertThat(series.toNanos(2)).as("the last interval is shorter").isEqualTo(5 * SECOND / 2);
        assertThat(series.mean("y", 0)).isNaN();
    }

    @Test
    void intervals_stay_few_and_their_means_exact_when_time_goes_on() {
        RandomGenerator random = RandomStreams.stream(1, "steps");
        StepMeans means = new StepMeans(1, 8);
        long[] times = new long[5_000];
        double[] values = new double[times.length];
        long now = 7 * SECOND;
        means.to(now);
        for (int i = 0; i < times.length; i++) {
            values[i] = random.nextInt(100);
            means.set(0, values[i]);
            now += random.nextLong(1, 50 * SECOND);
            times[i] = now;
            means.to(now);
        }

        Series series = means.series(NAME);

        assertThat(series.size()).isBetween(4, 8);
        assertThat(series.fromNanos(0)).isEqualTo(7 * SECOND);
        assertThat(series.toNanos(series.size() - 1)).isEqualTo(now);
        for (int i = 0; i < series.size(); i++) {
            assertThat(series.mean("x", i))
                    .isCloseTo(direct(times, values, series.fromNanos(i), series.toNanos(i)), within(1e-9));
        }
    }

    private static double direct(long[] times, double[] values, long from, long to) {
        double integral = 0;
        long before = 7 * SECOND;
        for (int i = 0; i < times.length; i++) {
            integral += values[i] * Math.max(0, Math.min(to, times[i]) - Math.max(from, before)) / 1e9;
            before = times[i];
        }
        return integral / ((to - from) / 1e9);
    }
}
