package org.trainyard.env.scheduling.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /** The ranks at the edges of bins by definition: O(bins squared), without a hull. */
    private static double[] ranks(List<Double> errors) {
        double[] counts = new double[140];
        double prior = 0;
        for (int bin = 0; bin < 140; bin++) {
            counts[bin] = Math.exp(-Math.pow(-6.95 + 0.1 * bin, 2) / 2);
            prior += counts[bin];
        }
        for (int bin = 0; bin < 140; bin++) {
            counts[bin] *= 3 / prior;
        }
        errors.forEach(error -> counts[(int) Math.max(0, Math.min(139, Math.floor((error + 7) / 0.1)))]++);
        double[] alive = new double[141];
        double[] served = new double[141];
        for (int edge = 0; edge < 141; edge++) {
            alive[edge] = Arrays.stream(counts, edge, 140).sum() / (errors.size() + 3);
            served[edge] = edge == 0
                    ? age(0)
                    : served[edge - 1] + (age(edge) - age(edge - 1)) * (alive[edge] + alive[edge - 1]) / 2;
        }
        double[] ranks = new double[141];
        Arrays.fill(ranks, Double.POSITIVE_INFINITY);
        for (int edge = 0; edge < 140; edge++) {
            for (int until = edge + 1; until < 141; until++) {
                double done = alive[edge] - alive[until];
                double rank =
                        done > 0 ? (served[until] - (edge == 0 ? 0 : served[edge])) / done : Double.POSITIVE_INFINITY;
                ranks[edge] = Math.min(ranks[edge], rank);
            }
        }
        ranks[140] = age(140);
        return ranks;
    }

    private static double age(int edge) {
        return Math.exp(-7 + 0.1 * edge);
    }

    /** Bounds are set to 1.1 of the ranks, and anew where a rank exceeds one or one exceeds 1.3 of its rank. */
    @Test
    void ranks_are_the_least_quotients_of_all_quanta_and_bounds_are_set_anew_when_they_must() {
        RandomGenerator random = RandomStreams.stream(9, "test/errors");
        GittinsIndex index = new GittinsIndex();
        List<Double> errors = new ArrayList<>();
        double[] most = new double[141];
        long bounds = 0;
        for (int run = 0; run < 150; run++) {
            double[] ranks = ranks(errors);
            boolean isLoose = false;
            for (int edge = 0; edge < 141; edge++) {
                assertThat(index.of(age(edge))).isCloseTo(ranks[edge], within(1e-9 * ranks[edge]));
                isLoose |= ranks[edge] > most[edge] || most[edge] > 1.3 * ranks[edge];
            }
            for (int edge = 0; isLoose && edge < 141; edge++) {
                most[edge] = 1.1 * ranks[edge];
            }
            bounds += isLoose ? 1 : 0;
            assertThat(index.bounds()).isEqualTo(bounds);
            double from = random.nextDouble() * 140;
            double to = Math.min(140, from + random.nextInt(3) * random.nextDouble());
            double highest = Math.max(between(most, from), between(most, to));
            for (int edge = (int) Math.ceil(from); edge <= to; edge++) {
                highest = Math.max(highest, most[edge]);
            }
            double fromAge = Math.exp(-7 + 0.1 * from);
            assertThat(index.of(fromAge)).isCloseTo(between(ranks, from), within(1e-9 * highest));
            assertThat(index.atMost(fromAge, Math.exp(-7 + 0.1 * to))).isCloseTo(highest, within(1e-9 * highest));
            assertThat(index.of(0)).isEqualTo(index.of(0.0009)).isCloseTo(ranks[0], within(1e-9));
            assertThat(index.of(2000)).isCloseTo(2000, within(1e-6));
            assertThat(index.atMost(0, 2000)).isCloseTo(most[140] / age(140) * 2000, within(1e-5));
            assertThat(index.errors()).isEqualTo(run);
            errors.add(random.nextInt(20) == 0 ? 20 * random.nextDouble() - 10 : 0.7 * random.nextGaussian());
            index.add(errors.get(run));
        }
        assertThat(bounds).isBetween(5L, 140L);
    }

    private static double between(double[] values, double at) {
        int below = Math.min((int) at, 139);
        return values[below] + (at - below) * (values[below + 1] - values[below]);
    }
}
