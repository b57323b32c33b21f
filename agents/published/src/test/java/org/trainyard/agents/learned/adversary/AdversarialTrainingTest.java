package org.trainyard.agents.learned.adversary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.admission.PriceThresholds;
import org.trainyard.agents.heuristic.admission.StopProbabilities;
import org.trainyard.env.InputException;

class AdversarialTrainingTest {
    private static final GameLearner.Model TABLE = new GameLearner.Model.Table();
    private static final AllocationGame TWO = new AllocationGame(1, List.of(1.0, 4.0), List.of(1), 2);
    private static final AllocationGame THREE = new AllocationGame(1, List.of(1.0, 2.0, 4.0), List.of(1), 3);

    @TempDir
    private Path folder;

    private static GameLearner.Adversary settings(GameLearner.Model model, int updates, double rate) {
        return new GameLearner.Adversary(model, updates, 16, 1, 1, rate, rate, 0.1, 0, 0, 0);
    }

    private static AdversarialTraining trained(AllocationGame game, GameLearner.Adversary settings, long seed) {
        AdversarialTraining training = new AdversarialTraining(game, settings, seed);
        while (!training.isDone()) {
            training.update();
        }
        return training;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void game_of_two_levels_converges_to_four_sevenths(long seed) {
        try (AdversarialTraining training = trained(TWO, settings(TABLE, 2000, 4), seed)) {
            AdversarialTraining.Figures figures = training.figures();

            assertThat(figures.guarantee()).isCloseTo(4.0 / 7, within(0.02));
            assertThat(figures.bound()).isCloseTo(4.0 / 7, within(0.02));
            assertThat(training.saleProbabilities(0, 1)[0]).isCloseTo(4.0 / 7, within(0.03));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void game_of_three_levels_converges_to_a_half_with_the_known_stop_probabilities(long seed) {
        double[] known = new StopProbabilities(1, 2, 4).probabilities();
        try (AdversarialTraining training = trained(THREE, settings(TABLE, 3000, 4), seed)) {
            AdversarialTraining.Figures figures = training.figures();
            double[] stops = training.saleProbabilities(0, 1, 2);

            assertThat(figures.guarantee()).isCloseTo(0.5, within(0.02));
            assertThat(figures.bound()).isCloseTo(0.5, within(0.02));
            for (int level = 0; level < known.length; level++) {
                assertThat(stops[level]).isCloseTo(known[level], within(0.03));
            }
            assertThat(stops[3]).isCloseTo(0, within(0.01));
        }
    }

    @Test
    void networks_converge_on_two_levels() {
        GameLearner.Adversary settings = settings(new GameLearner.Model.Network(32), 400, 0.5);
        try (AdversarialTraining training = trained(TWO, settings, 1)) {
            AdversarialTraining.Figures figures = training.figures();

            assertThat(figures.guarantee()).isCloseTo(4.0 / 7, within(0.02));
            assertThat(figures.bound()).isCloseTo(4.0 / 7, within(0.02));
        }
    }

    @Test
    void policy_of_two_units_beats_the_best_deterministic_prices_and_no_bound() {
        AllocationGame game = new AllocationGame(2, List.of(1.0, 2.0, 4.0), List.of(1), 4);
        try (AdversarialTraining training = trained(game, settings(TABLE, 1500, 4), 1)) {
            AdversarialTraining.Figures figures = training.figures();

            assertThat(figures.guarantee())
                    .isGreaterThan(1 / PriceThresholds.optimal(2, 1, 4).competitiveRatio());
            assertThat(figures.guarantee()).isLessThanOrEqualTo(figures.bound() + 1e-9);
            assertThat(figures.payoff()).isBetween(figures.guarantee() - 1e-9, figures.bound() + 1e-9);
        }
    }

    @Test
    void drawn_sequences_and_a_pool_improve_the_guarantee_of_a_long_game() {
        AllocationGame game = new AllocationGame(3, List.of(1.0, 2.0, 4.0, 8.0), List.of(1), 8);
        GameLearner.Adversary settings = new GameLearner.Adversary(TABLE, 300, 32, 2, 1, 2, 0.5, 0.05, 32, 0, 0.5);
        try (AdversarialTraining untrained = new AdversarialTraining(game, settings, 1);
                AdversarialTraining training = trained(game, settings, 1)) {
            assertThat(training.isExact()).isFalse();
            assertThat(training.figures().bound()).isNaN();
            assertThat(training.hardSequences()).hasSize(32);
            assertThat(training.figures().guarantee())
                    .isGreaterThan(untrained.figures().guarantee());
        }
    }

    @Test
    void worst_sequences_of_all_teach_a_policy_to_beat_fixed_prices_for_certain() {
        AllocationGame game = new AllocationGame(4, List.of(1.0, 2.0, 4.0), List.of(1), 8);
        GameLearner.Adversary settings = new GameLearner.Adversary(TABLE, 60, 2, 5, 1, 2, 0.5, 0.05, 64, 1, 0.95);
        try (AdversarialTraining training = trained(game, settings, 1)) {
            WorstCase worst = Objects.requireNonNull(training.worstCase());
            KnownGuarantees known = Objects.requireNonNull(KnownGuarantees.of(game));

            assertThat(training.isExact()).isFalse();
            assertThat(worst.least()).isBetween(known.fixed() + 0.02, known.bound());
            assertThat(worst.least()).isLessThanOrEqualTo(worst.found());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_resumed_run_ends_with_the_bytes_of_an_uninterrupted_one(boolean isNetwork) throws Exception {
        GameLearner.Model model = isNetwork ? new GameLearner.Model.Network(8) : TABLE;
        GameLearner.Adversary settings = new GameLearner.Adversary(model, 20, 8, 2, 1, 0.5, 0.5, 0.1, 4, 0, 0.5);
        AllocationGame game = new AllocationGame(2, List.of(1.0, 3.0, 4.0, 7.0), List.of(1, 2), 5);
        Path whole = folder.resolve("whole");
        Path part = folder.resolve("part");
        Path resumed = folder.resolve("resumed");
        try (AdversarialTraining training = trained(game, settings, 3)) {
            training.save(whole);
        }
        try (AdversarialTraining training = new AdversarialTraining(game, settings, 3)) {
            for (int i = 0; i < 7; i++) {
                training.update();
            }
            training.save(part);
        }
        try (AdversarialTraining training = new AdversarialTraining(game, settings, 3)) {
            training.load(part);
            while (!training.isDone()) {
                training.update();
            }
            training.save(resumed);
        }

        assertThat(Files.readAllBytes(resumed)).isEqualTo(Files.readAllBytes(whole));
    }

    @Test
    void a_file_of_another_game_is_refused() {
        Path file = folder.resolve("game");
        try (AdversarialTraining two = new AdversarialTraining(TWO, settings(TABLE, 1, 1), 1);
                AdversarialTraining three = new AdversarialTraining(THREE, settings(TABLE, 1, 1), 1)) {
            two.save(file);

            assertThatThrownBy(() -> three.load(file))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("values=[1.0, 4.0]");
        }
    }
}
