package org.trainyard.agents.learned.expert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.agents.learned.training.RolloutLabels;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.InputException;

class RolloutPolicyIterationTest {
    @TempDir
    private Path folder;

    private static RolloutPolicyIteration trainer(long seed) {
        return ForkWorlds.trainer(ForkWorlds.settings(4, 0.01), WorkerPool.SEQUENTIAL, seed);
    }

    private static void run(RolloutPolicyIteration trainer, int updates) {
        for (int i = 0; i < updates; i++) {
            trainer.update();
        }
    }

    @Test
    void from_random_weights_it_learns_what_the_futures_tell() {
        try (RolloutPolicyIteration trainer =
                ForkWorlds.trainer(ForkWorlds.settings(6, 0.02), WorkerPool.SEQUENTIAL, 2)) {
            double untrained = ForkWorlds.meanJctSeconds(trainer.policy());
            RolloutLabels first = Objects.requireNonNull(trainer.update().labels());
            run(trainer, 5);
            assertThat(trainer.isDone()).isTrue();
            assertThat(ForkWorlds.meanJctSeconds(trainer.policy())).isLessThan(0.75 * untrained);
            assertThat(first.improvement()).as("of a random policy").isPositive();
        }
    }

    @Test
    void a_trainer_that_is_saved_and_loaded_goes_on_bit_for_bit() {
        Path state = folder.resolve("state");
        String straight;
        try (RolloutPolicyIteration trainer = trainer(1)) {
            run(trainer, 2);
            trainer.save(state);
            run(trainer, 2);
            straight = trainer.policy().save(folder.resolve("straight"));
            trainer.save(folder.resolve("straight-state"));
        }
        try (RolloutPolicyIteration trainer = trainer(1)) {
            trainer.load(state);
            assertThat(trainer.updates()).isEqualTo(2);
            run(trainer, 2);
            assertThat(trainer.policy().save(folder.resolve("resumed"))).isEqualTo(straight);
            trainer.save(folder.resolve("resumed-state"));
        }
        assertThat(folder.resolve("resumed-state")).hasSameBinaryContentAs(folder.resolve("straight-state"));
    }

    @Test
    void threads_do_not_change_what_is_learned() {
        String alone;
        try (RolloutPolicyIteration trainer = trainer(3)) {
            run(trainer, 2);
            alone = trainer.policy().save(folder.resolve("alone"));
        }
        WorkerPool threads = (count, work) -> IntStream.range(0, count)
                .mapToObj(i -> CompletableFuture.runAsync(() -> work.accept(i), task -> new Thread(task).start()))
                .toList()
                .forEach(CompletableFuture::join);
        try (RolloutPolicyIteration trainer = ForkWorlds.trainer(ForkWorlds.settings(4, 0.01), threads, 3)) {
            run(trainer, 2);
            assertThat(trainer.policy().save(folder.resolve("threads"))).isEqualTo(alone);
        }
    }

    @Test
    void statistics_add_up() {
        try (RolloutPolicyIteration trainer = trainer(1)) {
            UpdateStatistics first = trainer.update();
            RolloutLabels labels = Objects.requireNonNull(first.labels());
            assertThat(first.update()).isEqualTo(1);
            assertThat(first.episodes()).isEqualTo(4);
            assertThat(labels.decisions()).isEqualTo(40);
            assertThat(labels.rollouts()).isBetween(2 * 2 * 40, 4 * 4 * 40);
            assertThat(labels.meanAdvantage()).isPositive();
            assertThat(labels.standardError()).isPositive();
            assertThat(labels.effectiveShare()).isBetween(0.1, 1.0);
            assertThat(labels.significantShare()).isLessThanOrEqualTo(labels.effectiveShare());
            assertThat(first.minibatches()).isEqualTo(4 * (40 / 16));
            assertThat(first.teacherKl()).as("divergence after the fit").isLessThan(first.policyLoss());
        }
    }

    @Test
    void the_state_of_a_run_with_another_seed_is_refused() {
        Path state = folder.resolve("state");
        try (RolloutPolicyIteration trainer = trainer(1);
                RolloutPolicyIteration other = trainer(2)) {
            trainer.save(state);
            assertThatThrownBy(() -> other.load(state))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("seed (1), not (2)");
        }
    }

    @Test
    void weights_that_are_not_finite_end_the_run_with_the_number_of_the_update() {
        try (RolloutPolicyIteration trainer =
                ForkWorlds.trainer(ForkWorlds.settings(4, 1e39), WorkerPool.SEQUENTIAL, 1)) {
            assertThatThrownBy(trainer::update)
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("update 1: ")
                    .hasMessageContaining("expected a finite number");
        }
    }
}
