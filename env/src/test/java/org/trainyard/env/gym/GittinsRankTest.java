package org.trainyard.env.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;

class GittinsRankTest {
    private static final int SAMPLES = 200_000;

    @Test
    void a_sure_guess_ranks_by_what_is_left() {
        assertThat(GittinsRank.of(0, 0)).isEqualTo(1);
        assertThat(GittinsRank.of(0.75, 0)).isEqualTo(0.25);
        assertThat(GittinsRank.of(3, 0)).isPositive();
        assertThat(GittinsRank.of(0.5, 0.05)).isCloseTo(0.5, within(0.06));
    }

    /** The index is a quotient of two integrals of the distribution; here they are sums over a drawn sample. */
    @ParameterizedTest
    @CsvSource({"0.3,0", "0.3,0.8", "0.3,1.5", "0.9,0", "0.9,0.5", "0.9,2", "1.6,0.1", "1.6,1", "1.6,5", "1.4,1"})
    void it_is_the_index_of_a_large_sample(double sigma, double age) {
        RandomGenerator random = RandomStreams.stream(7, "test/sample");
        double[] left = random.doubles(SAMPLES)
                .map(u -> Math.exp(sigma * random.nextGaussian()) - age)
                .filter(x -> x > 0)
                .sorted()
                .toArray();
        double least = Double.POSITIVE_INFINITY;
        double sum = 0;
        for (int i = 0; i < left.length; i++) {
            sum += left[i];
            double spent = sum + left[i] * (left.length - 1 - i);
            // The first few give a quotient of small numbers.
            least = i < 500 ? least : Math.min(least, spent / (i + 1));
        }
        assertThat(GittinsRank.of(age, sigma)).isCloseTo(least, within(0.06 * least));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.2, 0.5, 1, 1.7, 2.5, 4})
    void it_is_above_zero_grows_without_end_and_never_jumps(double sigma) {
        double[] ranks = new double[4000];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = GittinsRank.of(Math.exp(-9 + i * 0.005), sigma);
        }
        assertThat(Arrays.stream(ranks).min().orElseThrow()).isPositive();
        for (int i = 1; i < ranks.length; i++) {
            assertThat(ranks[i] / ranks[i - 1]).isBetween(0.7, 1.4);
        }
        assertThat(ranks[ranks.length - 1]).isGreaterThan(50 * ranks[0]);
    }

    @Test
    void who_has_had_its_chance_falls_behind_when_its_guess_was_unsure() {
        assertThat(GittinsRank.of(0, 1.6)).isCloseTo(GittinsRank.of(0, 0.2), within(0.3));
        assertThat(GittinsRank.of(0.8, 1.6)).isGreaterThan(GittinsRank.of(0.8, 0.2));
    }
}
