package org.trainyard.agents.learned.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.learned.auction.AuctionWorlds;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.UpdateMetric;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;

class PpoTest {
    @TempDir
    private Path folder;

    private static UpdateStatistics run(Ppo ppo, int updates) {
        UpdateStatistics last = ppo.update();
        for (int i = 1; i < updates; i++) {
            last = ppo.update();
        }
        return last;
    }

    private static Ppo trainer(long seed) {
        return AuctionWorlds.trainer(AuctionWorlds.settings(4, 0.01), WorkerPool.SEQUENTIAL, seed);
    }

    @Test
    void it_learns_from_random_weights_to_let_short_jobs_go_first() {
        try (Ppo ppo = AuctionWorlds.trainer(AuctionWorlds.settings(40, 0.02), WorkerPool.SEQUENTIAL, 1)) {
            double untrained = AuctionWorlds.meanJctSeconds(ppo.policy());
            double drawn = ppo.update().get(UpdateMetric.MEAN_JCT_SECONDS);
            double last = run(ppo, 39).get(UpdateMetric.MEAN_JCT_SECONDS);
            assertThat(ppo.isDone()).isTrue();
            double trained = AuctionWorlds.meanJctSeconds(ppo.policy());
            double rule = AuctionWorlds.meanJctSeconds(
                    AuctionWorlds.policy(InitialBids.patient(1, 1, RandomStreams.stream(1, "test/rule"))));

            assertThat(last).as("bids drawn at random, then drawn as learned").isLessThan(0.75 * drawn);
            assertThat(trained).isLessThan(untrained);
            assertThat(trained).as("shortest work first").isLessThan(1.1 * rule);
        }
    }

    @Test
    void with_a_trace_it_learns_the_same_from_advantages_that_spread_less() {
        LearnerSettings.Auction settings = AuctionWorlds.settings(40, 0.02, 0.5);
        try (Ppo ppo = AuctionWorlds.trainer(settings, WorkerPool.SEQUENTIAL, 1);
                Ppo without = AuctionWorlds.trainer(AuctionWorlds.settings(40, 0.02), WorkerPool.SEQUENTIAL, 1)) {
            UpdateStatistics first = ppo.update();
            UpdateStatistics same = without.update();
            assertThat(first.get(UpdateMetric.MEAN_JCT_SECONDS))
                    .as("the same plays")
                    .isEqualTo(same.get(UpdateMetric.MEAN_JCT_SECONDS));
            assertThat(first.get(UpdateMetric.ADVANTAGE_SPREAD))
                    .isLessThan(0.75 * same.get(UpdateMetric.ADVANTAGE_SPREAD));

            double last = run(ppo, 39).get(UpdateMetric.MEAN_JCT_SECONDS);
            double rule = AuctionWorlds.meanJctSeconds(
                    AuctionWorlds.policy(InitialBids.patient(1, 1, RandomStreams.stream(1, "test/rule"))));
            assertThat(last).isLessThan(0.75 * first.get(UpdateMetric.MEAN_JCT_SECONDS));
            assertThat(AuctionWorlds.meanJctSeconds(ppo.policy())).isLessThan(1.1 * rule);
        }
    }

    @Test
    void with_an_encoder_it_learns_too() {
        try (Ppo ppo = AuctionWorlds.encodedTrainer(AuctionWorlds.settings(40, 0.02), WorkerPool.SEQUENTIAL, 1)) {
            float[] encoder =
                    Objects.requireNonNull(ppo.policy().encoder()).weights().clone();
            double drawn = ppo.update().get(UpdateMetric.MEAN_JCT_SECONDS);
            double last = run(ppo, 39).get(UpdateMetric.MEAN_JCT_SECONDS);
            double rule = AuctionWorlds.meanJctSeconds(
                    AuctionWorlds.policy(InitialBids.patient(1, 1, RandomStreams.stream(1, "test/rule"))));

            assertThat(last).isLessThan(0.75 * drawn);
            assertThat(AuctionWorlds.meanJctSeconds(ppo.policy())).isLessThan(1.15 * rule);
            assertThat(Objects.requireNonNull(ppo.policy().encoder()).weights()).isNotEqualTo(encoder);
        }
    }

    /** With an encoder and a trace, or without. */
    private static Ppo trainer(boolean hasTensors, WorkerPool pool, long seed) {
        LearnerSettings.Auction settings = AuctionWorlds.settings(4, 0.01, hasTensors ? 2.0 : null);
        return hasTensors
                ? AuctionWorlds.encodedTrainer(settings, pool, seed)
                : AuctionWorlds.trainer(settings, pool, seed);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_trainer_that_is_saved_and_loaded_goes_on_bit_for_bit(boolean hasTensors) {
        Path state = folder.resolve("state");
        String straight;
        try (Ppo ppo = trainer(hasTensors, WorkerPool.SEQUENTIAL, 1)) {
            run(ppo, 2);
            ppo.save(state);
            run(ppo, 2);
            straight = ppo.policy().save(folder.resolve("straight"));
            ppo.save(folder.resolve("straight-state"));
        }
        try (Ppo ppo = trainer(hasTensors, WorkerPool.SEQUENTIAL, 1)) {
            ppo.load(state);
            assertThat(ppo.updates()).isEqualTo(2);
            run(ppo, 2);
            assertThat(ppo.policy().save(folder.resolve("resumed"))).isEqualTo(straight);
            ppo.save(folder.resolve("resumed-state"));
        }
        assertThat(folder.resolve("resumed-state")).hasSameBinaryContentAs(folder.resolve("straight-state"));
    }

    @Test
    void the_state_of_a_run_with_another_seed_is_refused() {
        Path state = folder.resolve("state");
        try (Ppo ppo = trainer(1);
                Ppo other = trainer(2)) {
            ppo.save(state);
            assertThatThrownBy(() -> other.load(state))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("seed (1), not (2)");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void threads_do_not_change_what_is_learned(boolean hasTensors) {
        String alone;
        try (Ppo ppo = trainer(hasTensors, WorkerPool.SEQUENTIAL, 3)) {
            run(ppo, 3);
            alone = ppo.policy().save(folder.resolve("alone"));
        }
        WorkerPool threads = (count, work) -> IntStream.range(0, count)
                .mapToObj(i -> CompletableFuture.runAsync(() -> work.accept(i), task -> new Thread(task).start()))
                .toList()
                .forEach(CompletableFuture::join);
        try (Ppo ppo = trainer(hasTensors, threads, 3)) {
            run(ppo, 3);
            assertThat(ppo.policy().save(folder.resolve("threads"))).isEqualTo(alone);
        }
    }

    @Test
    void statistics_add_up() {
        try (Ppo ppo = trainer(1)) {
            UpdateStatistics first = ppo.update();
            assertThat(first.get(UpdateMetric.UPDATE)).isEqualTo(1);
            assertThat(first.get(UpdateMetric.EPISODES)).isEqualTo(8);
            assertThat(first.get(UpdateMetric.DECISIONS)).isGreaterThan(8 * AuctionWorlds.JOBS / 2);
            assertThat(first.get(UpdateMetric.MINIBATCHES))
                    .isBetween(first.get(UpdateMetric.DECISIONS) / 64, 3 * (first.get(UpdateMetric.DECISIONS) / 64));
            assertThat(first.get(UpdateMetric.ENTROPY)).isPositive();
            assertThat(first.get(UpdateMetric.KL)).isPositive();
            assertThat(first.get(UpdateMetric.ADVANTAGE_SPREAD)).isLessThan(first.get(UpdateMetric.BASELINE_SPREAD));
            assertThat(first.get(UpdateMetric.EXPLAINED_VARIANCE))
                    .isCloseTo(
                            1
                                    - Math.pow(
                                            first.get(UpdateMetric.ADVANTAGE_SPREAD)
                                                    / first.get(UpdateMetric.BASELINE_SPREAD),
                                            2),
                            within(1e-9));
            assertThat(first.get(UpdateMetric.WAIT_SHARE)).isBetween(0.01, 0.99);
            assertThat(first.get(UpdateMetric.MEAN_JCT_SECONDS)).isGreaterThan(300);
        }
    }

    @Test
    void the_policy_is_the_mean_of_the_weights_over_updates() {
        try (Ppo ppo = trainer(1)) {
            ppo.update();
            float[] first = ppo.policy().network().weights().clone();
            ppo.save(folder.resolve("one"));
            ppo.update();
            float[] second = ppo.policy().network().weights();
            double moved = 0;
            for (int w = 0; w < first.length; w++) {
                moved = Math.max(moved, Math.abs(second[w] - first[w]));
            }
            // A step of Adam is at most about the learning rate, and the mean moves by a fifth of an update.
            assertThat(moved).isBetween(1e-6, 0.2 * 0.01 * 200);
        }
    }

    @Test
    void weights_that_are_not_finite_end_the_run_with_the_number_of_the_update() {
        try (Ppo ppo = AuctionWorlds.trainer(AuctionWorlds.settings(4, 1e39), WorkerPool.SEQUENTIAL, 1)) {
            assertThatThrownBy(ppo::update)
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("update 1: ")
                    .hasMessageContaining("expected a finite number");
        }
    }
}
