package org.trainyard.agents.heuristic.pdors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.pdors.SlotProblem.RoundingFactor;
import org.trainyard.env.RandomStreams;

class PricesTest {
    @Test
    void a_price_grows_from_least_to_most_by_equal_factors() {
        ExponentialPrice price = new ExponentialPrice(1, 100);
        double[] expected = {1, 3.1623, 10, 31.6228, 100};
        for (int used = 0; used <= 4; used++) {
            assertThat(price.at(used, 4)).isCloseTo(expected[used], within(5e-5));
        }
        assertThat(price.at(0, 0)).isInfinite();
        assertThatThrownBy(() -> new ExponentialPrice(0, 1)).hasMessageContaining("above zero");
    }

    @Test
    void rounding_factors_have_the_known_values() {
        assertThat(RoundingFactor.packing(15, 4, 0.1)).isCloseTo(0.38939, within(5e-6));
        assertThat(RoundingFactor.covering(30, 1, 0.1)).isCloseTo(1.60286, within(5e-6));
    }

    /** 30 variables of one half each, on both sides of the constraint. */
    @Test
    void rounded_constraints_fail_no_more_often_than_the_factor_says() {
        RandomGenerator random = RandomStreams.stream(1, "rounding");
        double packing = RoundingFactor.packing(15, 4, 0.1);
        double covering = RoundingFactor.covering(30, 1, 0.1);
        int overfull = 0;
        int short_ = 0;
        int trials = 100_000;
        for (int trial = 0; trial < trials; trial++) {
            overfull += sum(random, 30, 0.5 * packing) > 15 ? 1 : 0;
            short_ += sum(random, 60, 0.5 * covering) < 30 ? 1 : 0;
        }
        assertThat(overfull / (double) trials).isLessThanOrEqualTo(0.1 / 12);
        assertThat(short_ / (double) trials).isLessThanOrEqualTo(0.1 / 3);
    }

    private static int sum(RandomGenerator random, int variables, double value) {
        int sum = 0;
        for (int i = 0; i < variables; i++) {
            sum += random.nextDouble() < value ? 1 : 0;
        }
        return sum;
    }
}
