package org.trainyard.agents.heuristic.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriceThresholdsTest {
    @ParameterizedTest
    @CsvSource({"1, 10", "2, 5.4031", "3, 4.6335", "4, 4.3684", "10, 3.6930", "100, 3.3408", "1000, 3.3064"})
    void ratio_for_a_spread_of_ten_is_the_known_one(int units, double ratio) {
        assertThat(PriceThresholds.optimal(units, 1, 10).competitiveRatio()).isCloseTo(ratio, within(5e-5));
    }

    @Test
    void ratio_of_many_units_approaches_that_of_tiny_requests() {
        assertThat(PriceThresholds.optimal(100_000, 1, 10).competitiveRatio())
                .isCloseTo(new UtilisationPrice(1, 10).competitiveRatio(), within(1e-4));
    }

    @Test
    void two_units_for_a_spread_of_four_have_the_known_prices() {
        PriceThresholds prices = PriceThresholds.optimal(2, 1, 4);

        assertThat(prices.price(0)).isEqualTo(1);
        assertThat(prices.price(1)).isCloseTo(1.5616, within(5e-5));
        assertThat(prices.price(2)).isInfinite();
        assertThat(worstRatio(prices, 4, 1, 1.4, prices.price(1), 2, 2.5, 4)).isCloseTo(3.1231, within(5e-5));
    }

    @ParameterizedTest
    @CsvSource({"1.0, 4.0", "1.4, 3.3333", "2.5, 4.0"})
    void another_second_price_has_a_worse_ratio(double second, double ratio) {
        PriceThresholds prices = PriceThresholds.of(1, second);

        assertThat(worstRatio(prices, 4, 1, 1.4, 1.5616, 2, 2.5, 4)).isCloseTo(ratio, within(5e-5));
    }

    @Test
    void three_units_for_a_spread_of_ten_have_the_known_prices() {
        PriceThresholds prices = PriceThresholds.optimal(3, 1, 10);

        assertThat(prices.price(0)).isEqualTo(1);
        assertThat(prices.price(1)).isCloseTo(1.5445, within(5e-5));
        assertThat(prices.price(2)).isCloseTo(3.9300, within(5e-5));
    }

    @Test
    void no_thresholds_on_a_grid_beat_the_optimal_ratio_by_more_than_its_step() {
        double[] grid = grid(0.1);
        double best = Double.POSITIVE_INFINITY;
        double second = 0;
        for (double price : grid) {
            double worst = worstRatio(PriceThresholds.of(1, price), 4, grid);
            if (worst < best) {
                best = worst;
                second = price;
            }
        }

        assertThat(second).isCloseTo(1.6, within(1e-9));
        assertThat(best).isCloseTo(3.0769, within(5e-5));
        assertThat(best).isGreaterThan(PriceThresholds.optimal(2, 1, 4).competitiveRatio() - 0.1);
    }

    @Test
    void optimal_prices_keep_their_ratio_on_every_sequence_of_a_grid() {
        double[] grid = grid(0.25);
        for (int units = 1; units <= 3; units++) {
            PriceThresholds prices = PriceThresholds.optimal(units, 1, 4);

            assertThat(worstRatio(prices, 5, grid)).isLessThanOrEqualTo(prices.competitiveRatio() + 1e-9);
        }
    }

    @Test
    void prices_scale_with_the_values() {
        PriceThresholds one = PriceThresholds.optimal(5, 1, 7);
        PriceThresholds thousand = PriceThresholds.optimal(5, 1000, 7000);

        for (int sold = 0; sold < 5; sold++) {
            assertThat(thousand.price(sold)).isCloseTo(1000 * one.price(sold), within(1e-6));
        }
    }

    @Test
    void equal_bounds_sell_every_unit_at_that_price() {
        PriceThresholds prices = PriceThresholds.optimal(3, 2, 2);

        assertThat(prices.competitiveRatio()).isCloseTo(1, within(1e-9));
        assertThat(prices.price(2)).isCloseTo(2, within(1e-9));
    }

    @Test
    void price_of_tiny_requests_rises_from_the_lowest_to_the_highest_value() {
        UtilisationPrice price = new UtilisationPrice(2, 20);
        double flat = 1 / (1 + Math.log(10));

        assertThat(price.competitiveRatio()).isCloseTo(3.3026, within(5e-5));
        assertThat(price.at(0)).isEqualTo(2);
        assertThat(price.at(flat)).isCloseTo(2, within(1e-9));
        assertThat(price.at(1)).isCloseTo(20, within(1e-9));
        assertThat(price.at(0.8)).isCloseTo(2 / Math.E * Math.pow(Math.E * 10, 0.8), within(1e-9));
        assertThatThrownBy(() -> price.at(1.5)).hasMessageContaining("1.5");
    }

    @Test
    void prices_of_many_units_are_the_price_of_tiny_requests() {
        PriceThresholds prices = PriceThresholds.optimal(10_000, 1, 10);
        UtilisationPrice tiny = new UtilisationPrice(1, 10);

        for (int sold = 0; sold < 10_000; sold += 1_000) {
            assertThat(prices.price(sold)).isCloseTo(tiny.at(sold / 10_000.0), within(0.01));
        }
    }

    @Test
    void values_without_order_are_refused() {
        assertThatThrownBy(() -> PriceThresholds.optimal(2, 4, 1)).hasMessageContaining("4.0 to 1.0");
        assertThatThrownBy(() -> PriceThresholds.optimal(0, 1, 4)).hasMessageContaining("units (0)");
    }

    private static double[] grid(double step) {
        return DoubleStream.iterate(1, value -> value <= 4 + 1e-9, value -> value + step)
                .map(value -> Math.round(value / step) * step)
                .toArray();
    }

    /** Over all ascending sequences of values from the list, of at most so many requests. */
    private static double worstRatio(PriceThresholds prices, int longest, double... values) {
        double[] worst = {0};
        eachSequence(new double[0], longest, values, sequence -> {
            double[] sorted = sequence.clone();
            Arrays.sort(sorted);
            double best = 0;
            for (int i = 1; i <= Math.min(prices.units(), sorted.length); i++) {
                best += sorted[sorted.length - i];
            }
            worst[0] = Math.max(worst[0], best / prices.welfare(sequence));
        });
        return worst[0];
    }

    private static void eachSequence(double[] begun, int longest, double[] values, Consumer<double[]> found) {
        for (double value : values) {
            if (begun.length == 0 || value >= begun[begun.length - 1]) {
                double[] next = Arrays.copyOf(begun, begun.length + 1);
                next[begun.length] = value;
                found.accept(next);
                if (next.length < longest) {
                    eachSequence(next, longest, values, found);
                }
            }
        }
    }
}
