package org.trainyard.agents.heuristic.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorstSequenceTest {
    @Test
    void eight_units_at_rising_prices_guarantee_what_an_enumeration_of_all_sequences_found() {
        PriceThresholds prices = PriceThresholds.of(1, 1, 1, 2, 2, 4, 4, 8);

        assertThat(WorstSequence.guarantee(prices, new double[] {1, 2, 4, 8}, 16))
                .isCloseTo(0.359, within(5e-4));
    }

    @ParameterizedTest
    @CsvSource({"1, 0.25", "2, 0", "4, 0"})
    void one_unit_at_the_least_price_guarantees_the_least_value_and_at_others_nothing(double price, double least) {
        assertThat(WorstSequence.guarantee(PriceThresholds.of(price), new double[] {1, 2, 4}, 3))
                .isEqualTo(least);
    }

    @Test
    void a_lottery_over_the_prices_of_one_unit_guarantees_twice_as_much() {
        double[] values = {1, 2, 4};

        assertThat(new StopProbabilities(values).guarantee())
                .isCloseTo(2 * WorstSequence.guarantee(PriceThresholds.of(1), values, 3), within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "1, 2, 4", "1, 1, 2", "1, 4, 2", "2, 1, 4"})
    void guarantee_is_that_of_the_worst_of_all_sequences_tried_one_by_one(double first, double second, double third) {
        double[] values = {1, 2, 4};
        PriceThresholds prices = PriceThresholds.of(first, second, third);

        assertThat(WorstSequence.guarantee(prices, values, 5)).isCloseTo(tried(prices, values, 5), within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 0.4", "4, 0.25"})
    void two_units_that_the_first_two_requests_get_lose_to_each_better_request_that_follows(int rounds, double least) {
        assertThat(WorstSequence.guarantee(PriceThresholds.of(1, 1), new double[] {1, 4}, rounds))
                .isCloseTo(least, within(1e-12));
    }

    @Test
    void eight_values_are_refused() {
        assertThatThrownBy(() -> WorstSequence.guarantee(PriceThresholds.of(1), new double[8], 4))
                .hasMessageContaining("values (8)");
    }

    /** Every sequence of one to so many requests. */
    private static double tried(PriceThresholds prices, double[] values, int rounds) {
        double least = Double.POSITIVE_INFINITY;
        for (int length = 1; length <= rounds; length++) {
            for (int code = 0; code < Math.pow(values.length, length); code++) {
                double[] sequence = new double[length];
                for (int i = 0, rest = code; i < length; i++, rest /= values.length) {
                    sequence[i] = values[rest % values.length];
                }
                double welfare = prices.welfare(sequence);
                Arrays.sort(sequence);
                double optimum = 0;
                for (int i = Math.max(0, length - prices.units()); i < length; i++) {
                    optimum += sequence[i];
                }
                least = Math.min(least, welfare / optimum);
            }
        }
        return least;
    }
}
