package org.trainyard.env.scheduling.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;

class GittinsIndexTest {
    private static final int SAMPLES = 200_000;

    private static GittinsIndex after(double sigma, int count) {
        RandomGenerator random = RandomStreams.stream(11, "test/errors");
        GittinsIndex rank = new GittinsIndex();
        for (int i = 0; i < count; i++) {
            rank.add(sigma * random.nextGaussian());
        }
        return rank;
    }

    @Test
    void no_rank_between_two_ages_is_above_its_bound_nor_far_below() {
        RandomGenerator random = RandomStreams.stream(5, "test/ages");
        GittinsIndex rank = new GittinsIndex();
        double closest = Double.POSITIVE_INFINITY;
        for (int run = 0; run < 2000; run++) {
            rank.add(1.2 * random.nextGaussian());
            rank.bounds();
            double from = run % 50 == 0 ? 0 : Math.exp(-8 + 16 * random.nextDouble());
            double to = from * (1 + random.nextDouble()) + (run % 3 == 0 ? 0.01 : 0);
            double most = rank.atMost(from, to);
            double highest = 0;
            for (int i = 0; i <= 50; i++) {
                highest = Math.max(highest, rank.of(i == 50 ? to : from + (to - from) * i / 50));
            }
            assertThat(highest).isLessThanOrEqualTo(most);
            closest = Math.min(closest, most / highest);
        }
        assertThat(closest).isLessThan(1.11);
    }

    @Test
    void after_sure_guesses_it_is_what_is_left() {
        GittinsIndex rank = after(0, 1000);
        assertThat(rank.of(0)).isCloseTo(1, within(0.1));
        assertThat(rank.of(0.75)).isCloseTo(0.25, within(0.1));
        assertThat(rank.of(3)).isPositive();
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
        assertThat(after(sigma, SAMPLES).of(age)).isCloseTo(least, within(0.12 * least));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.2, 0.5, 1, 1.7, 2.5})
    void it_is_above_zero_and_grows_without_end(double sigma) {
        GittinsIndex rank = after(sigma, 500);
        double[] ranks = new double[4000];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = rank.of(Math.exp(-9 + i * 0.005));
        }
        assertThat(Arrays.stream(ranks).min().orElseThrow()).isPositive();
        assertThat(ranks[ranks.length - 1]).isGreaterThan(50 * ranks[0]);
    }

    @Test
    void who_has_had_its_chance_falls_behind_when_its_guess_was_unsure() {
        GittinsIndex unsure = after(1.6, 2000);
        GittinsIndex sure = after(0.2, 2000);
        assertThat(unsure.of(0)).isCloseTo(sure.of(0), within(0.3));
        assertThat(unsure.of(0.8)).isGreaterThan(2 * sure.of(0.8));
    }

    @Test
    void who_is_about_to_end_where_many_have_ended_goes_first() {
        GittinsIndex rank = new GittinsIndex();
        for (int i = 0; i < 1000; i++) {
            rank.add(Math.log(i % 4 == 0 ? 0.02 : 4));
        }
        assertThat(rank.of(3.5)).isLessThan(rank.of(0.1) / 3);
    }

    @Test
    void an_error_counts_from_the_next_look_on_however_often_it_was_asked_before() {
        GittinsIndex asked = new GittinsIndex();
        GittinsIndex silent = new GittinsIndex();
        for (double error : new double[] {2, -1, 0.5, 3, 3, 3}) {
            double before = asked.of(0.5);
            asked.add(error);
            silent.add(error);
            assertThat(asked.of(0.5)).isNotEqualTo(before);
        }

        for (double age : new double[] {0, 0.1, 0.5, 1, 4}) {
            assertThat(asked.of(age)).isEqualTo(silent.of(age));
        }
    }
}
