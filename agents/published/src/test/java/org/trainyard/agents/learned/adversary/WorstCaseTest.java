package org.trainyard.agents.learned.adversary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.admission.PriceThresholds;
import org.trainyard.env.RandomStreams;

class WorstCaseTest {
    private static final AllocationGame EIGHT = new AllocationGame(8, List.of(1.0, 2.0, 4.0, 8.0), List.of(1), 16);

    private static SequenceGraph graph(AllocationGame game) {
        return Objects.requireNonNull(SequenceGraph.of(game));
    }

    private static double fixed(AllocationGame game, double... prices) {
        WorstCase worst = WorstCase.of(graph(game), PriceThresholds.of(prices));
        assertThat(worst.found()).isCloseTo(worst.least(), within(1e-9));
        return worst.least();
    }

    @Test
    void eight_units_at_rising_prices_guarantee_what_an_enumeration_of_all_sequences_found() {
        assertThat(fixed(EIGHT, 1, 1, 1, 2, 2, 4, 4, 8)).isCloseTo(0.359, within(5e-4));
    }

    @ParameterizedTest
    @CsvSource({"1, 0.25", "2, 0", "4, 0"})
    void one_unit_at_the_least_price_guarantees_the_least_value_and_at_others_nothing(double price, double least) {
        assertThat(fixed(new AllocationGame(1, List.of(1.0, 2.0, 4.0), List.of(1), 3), price))
                .isEqualTo(least);
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 0.4", "4, 0.25"})
    void two_units_that_the_first_two_requests_get_lose_to_each_better_request_that_follows(int rounds, double least) {
        assertThat(fixed(new AllocationGame(2, List.of(1.0, 4.0), List.of(1), rounds), 1, 1))
                .isCloseTo(least, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "1, 2, 4", "1, 1, 2", "1, 4, 2", "2, 1, 4"})
    void fixed_prices_guarantee_the_payoff_of_the_worst_of_all_sequences(double first, double second, double third) {
        PriceThresholds prices = PriceThresholds.of(first, second, third);
        AllocationGame game = new AllocationGame(3, List.of(1.0, 2.0, 4.0), List.of(1), 5);
        double tried = game.everySequence().stream()
                .mapToDouble(sequence -> prices.welfare(
                                Arrays.stream(sequence).mapToDouble(game::value).toArray())
                        / game.optimum(sequence))
                .min()
                .orElseThrow();

        assertThat(fixed(game, first, second, third)).isCloseTo(tried, within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void a_lottery_guarantees_the_payoff_of_the_worst_of_all_sequences(int seed) {
        AllocationGame game = new AllocationGame(3, List.of(1.0, 3.0), List.of(1, 2), 5);
        Function<List<PlayerState>, double[][]> lottery = states -> states.stream()
                .map(state -> lottery(seed, seed % 2 == 0 ? state.row() : state.figures()))
                .toArray(double[][]::new);
        SequenceBatch every = new SequenceBatch(game, game.everySequence());
        double tried = Arrays.stream(every.payoffs(lottery.apply(every.policyStates())))
                .min()
                .orElseThrow();

        WorstCase worst = WorstCase.of(graph(game), lottery);

        assertThat(worst.found()).isBetween(tried - 1e-12, tried + 0.000501);
        assertThat(worst.least()).isBetween(tried - 0.000501, tried + 1e-12);
        int at = every.indexOf(
                worst.sequence().stream().mapToInt(request -> request).toArray());
        assertThat(every.payoffs(lottery.apply(every.policyStates()))[at]).isCloseTo(worst.found(), within(1e-12));
    }

    private static double[] lottery(long seed, Object known) {
        RandomGenerator random = RandomStreams.stream(seed, known.toString());
        double low = random.nextDouble();
        return new double[] {low, 1 - low};
    }

    @Test
    void a_game_of_too_many_states_has_no_graph() {
        AllocationGame game = new AllocationGame(12, List.of(1.0, 2.0, 3.0, 5.0, 7.0, 11.0), List.of(1, 2, 3), 12);

        assertThat(SequenceGraph.of(game)).isNull();
        assertThat(KnownGuarantees.of(game)).isNull();
    }

    @Test
    void known_algorithms_guarantee_what_theory_says() {
        KnownGuarantees eight = Objects.requireNonNull(KnownGuarantees.of(EIGHT));

        assertThat(eight.fixed()).isCloseTo(0.359, within(5e-4));
        assertThat(eight.formula())
                .isBetween(1 / PriceThresholds.optimal(8, 1, 8).competitiveRatio(), eight.fixed());
        assertThat(eight.bound()).isCloseTo(8.0 / 15, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"8, 1, 32, 0.4", "8, 1, 24, 0.4444", "8, 1, 7, 1", "8, 4, 16, 0.4", "1, 1, 4, 0.4"})
    void bound_of_any_policy_falls_with_the_values_that_follow_each_other(
            int units, int demand, int rounds, double bound) {
        AllocationGame game = new AllocationGame(units, List.of(1.0, 2.0, 4.0, 8.0), List.of(demand), rounds);

        assertThat(KnownGuarantees.bound(game)).isCloseTo(bound, within(1e-4));
    }
}
