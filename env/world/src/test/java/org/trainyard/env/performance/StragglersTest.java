package org.trainyard.env.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;

class StragglersTest {
    @Test
    void the_expected_greatest_of_normal_numbers_is_that_of_a_simulation() {
        RandomGenerator random = RandomStreams.stream(1, "test/stragglers");
        for (int workers : new int[] {2, 3, 8, 12, 64}) {
            double sum = 0;
            for (int i = 0; i < 20_000; i++) {
                double greatest = Double.NEGATIVE_INFINITY;
                for (int w = 0; w < workers; w++) {
                    greatest = Math.max(greatest, random.nextGaussian());
                }
                sum += greatest;
            }
            assertThat(Stragglers.greatest(workers)).isCloseTo(sum / 20_000, within(0.03));
        }
    }

    @Test
    void variation_is_drawn_as_it_was_measured_and_is_the_jobs_own() {
        Stragglers stragglers = Stragglers.measured(1, 5);
        double[] drawn = IntStream.range(0, 2_000)
                .mapToDouble(job -> stragglers.variation(Rings.job(job, 4)))
                .sorted()
                .toArray();

        assertThat(drawn[1_000]).as("median").isCloseTo(0.103, within(0.02));
        assertThat(drawn[1_800]).as("ninth decile").isCloseTo(1.106, within(0.2));
        assertThat(Arrays.stream(drawn).min().orElseThrow()).isGreaterThanOrEqualTo(0.02);
        assertThat(stragglers.variation(Rings.job(3, 4)))
                .isEqualTo(Stragglers.measured(1, 5).variation(Rings.job(3, 8)));
        assertThat(Stragglers.measured(1, 6).variation(Rings.job(3, 4)))
                .isNotEqualTo(stragglers.variation(Rings.job(3, 4)));
    }

    @Test
    void one_worker_waits_for_nobody_and_more_wait_longer() {
        Stragglers stragglers = Stragglers.measured(1, 5);

        assertThat(stragglers.stretch(Rings.job(0, 1), 1)).isEqualTo(1);
        assertThat(stragglers.stretch(Rings.job(0, 4), 4)).isGreaterThan(stragglers.stretch(Rings.job(0, 2), 2));
        assertThat(Stragglers.NONE.stretch(Rings.job(0, 4), 4)).isEqualTo(1);
        assertThatThrownBy(() -> Stragglers.measured(-1, 0)).hasMessageContaining("-1");
    }
}
