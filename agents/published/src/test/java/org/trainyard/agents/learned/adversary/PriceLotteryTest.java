package org.trainyard.agents.learned.adversary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.admission.PriceThresholds;
import org.trainyard.agents.heuristic.admission.StopProbabilities;

class PriceLotteryTest {
    private static final AllocationGame EIGHT = new AllocationGame(8, List.of(1.0, 2.0, 4.0, 8.0), List.of(1), 16);

    private static AllocationGame small(int units, int rounds) {
        return new AllocationGame(units, List.of(1.0, 2.0, 4.0), List.of(1), rounds);
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "1, 5", "2, 4", "3, 5", "2, 6"})
    void a_lottery_guarantees_the_payoff_of_the_worst_of_all_sequences(int units, int rounds) {
        AllocationGame game = small(units, rounds);
        double[] probabilities = {0.5, 0.2, 0.3};
        double tried = game.everySequence().stream()
                .mapToDouble(sequence -> payoff(game, sequence, probabilities))
                .min()
                .orElseThrow();

        assertThat(PriceLottery.of(game, probabilities).guarantee()).isCloseTo(tried, within(1e-12));
    }

    private static double payoff(AllocationGame game, int[] sequence, double... probabilities) {
        double[] values = Arrays.stream(sequence).mapToDouble(game::value).toArray();
        double welfare = 0;
        for (int level = 0; level < probabilities.length; level++) {
            double[] prices = new double[game.units()];
            Arrays.fill(prices, game.values().get(level));
            welfare += probabilities[level] * PriceThresholds.of(prices).welfare(values);
        }
        return welfare / game.optimum(sequence);
    }

    @Test
    void the_best_for_one_unit_is_the_one_that_theory_has() {
        PriceLottery best = PriceLottery.best(small(1, 3));

        assertThat(best.guarantee()).isCloseTo(new StopProbabilities(1, 2, 4).guarantee(), within(1e-9));
        assertThat(best.probabilities().get(0)).isCloseTo(0.5, within(1e-6));
        assertThat(best.probabilities().get(1)).isCloseTo(0.25, within(1e-6));
    }

    @Test
    void eight_units_are_guaranteed_eight_seventeenths() {
        PriceLottery best = PriceLottery.best(EIGHT);

        assertThat(best.guarantee()).isCloseTo(8.0 / 17, within(1e-9));
        assertThat(PriceLottery.of(EIGHT, 0.47, 0.24, 0.14, 0.15).guarantee()).isBetween(0.467, best.guarantee());
    }

    @Test
    void no_other_lottery_guarantees_more() {
        double best = PriceLottery.best(EIGHT).guarantee();
        for (int first = 0; first <= 20; first++) {
            for (int second = 0; first + second <= 20; second++) {
                for (int third = 0; first + second + third <= 20; third++) {
                    double[] some = {first, second, third, 20.0 - first - second - third};
                    double[] probabilities =
                            Arrays.stream(some).map(parts -> parts / 20).toArray();

                    assertThat(PriceLottery.of(EIGHT, probabilities).guarantee())
                            .isLessThan(best + 1e-9);
                }
            }
        }
    }

    @Test
    void requests_of_several_units_are_refused() {
        AllocationGame game = new AllocationGame(4, List.of(1.0, 2.0), List.of(1, 2), 4);

        assertThatThrownBy(() -> PriceLottery.best(game)).hasMessageContaining("demands");
    }
}
