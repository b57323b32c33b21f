package org.trainyard.agents.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;

class PpoTest {
    private static final PolicyNetwork.Settings TINY =
            new PolicyNetwork.Settings(PolicyNetwork.Encoder.HIERARCHICAL, 8, 1);

    @TempDir
    private Path folder;

    private static Ppo.Settings settings(int updates, double learningRate) {
        return new Ppo.Settings(updates, 2, 16, 2, 8, learningRate, 0.2, 0.01, 0.001, 6, 0.5, 0.5, 0.5, 0.05);
    }

    private static Ppo trainer(int updates) {
        return new Ppo(new PolicyNetwork(TINY, 1), LearnedWorlds.small(2), settings(updates, 1e-3), 1);
    }

    private static void run(Ppo ppo, int updates) {
        for (int i = 0; i < updates; i++) {
            ppo.update();
        }
    }

    @Test
    void a_run_that_was_killed_and_resumed_ends_with_the_same_weights() {
        Path state = folder.resolve("state");
        String straight;
        try (Ppo ppo = trainer(6)) {
            run(ppo, 6);
            straight = ppo.policy().save(folder.resolve("straight"));
        }
        try (Ppo ppo = trainer(6)) {
            run(ppo, 3);
            ppo.save(state);
            run(ppo, 1);
        }
        try (Ppo ppo = trainer(6)) {
            ppo.load(state);
            assertThat(ppo.updates()).isEqualTo(3);
            run(ppo, 3);
            assertThat(ppo.isDone()).isTrue();
            assertThat(ppo.policy().save(folder.resolve("resumed"))).isEqualTo(straight);
        }
    }

    /** The engine reads Java memory; what it still needs must not be collected, nor written over by the next who gets it. */
    @Test
    void garbage_collection_at_any_moment_changes_nothing() throws Exception {
        String quiet;
        try (Ppo ppo = trainer(12)) {
            run(ppo, 12);
            quiet = ppo.policy().save(folder.resolve("quiet"));
        }
        AtomicBoolean done = new AtomicBoolean();
        Thread collector = new Thread(() -> {
            List<ByteBuffer> spoiled = new ArrayList<>();
            while (!done.get()) {
                System.gc();
                for (int i = 0; i < 500; i++) {
                    spoiled.add(ByteBuffer.allocateDirect(4)
                            .order(ByteOrder.nativeOrder())
                            .putFloat(0, Float.NaN));
                }
                if (spoiled.size() > 5000) {
                    spoiled.clear();
                }
            }
        });
        collector.start();
        try (Ppo ppo = trainer(12)) {
            run(ppo, 12);
            assertThat(ppo.policy().save(folder.resolve("stressed"))).isEqualTo(quiet);
        } finally {
            done.set(true);
            collector.join();
        }
    }

    @Test
    void a_trainer_rewound_in_place_goes_the_same_way_again() {
        Path state = folder.resolve("state");
        try (Ppo ppo = trainer(6)) {
            run(ppo, 2);
            ppo.save(state);
            run(ppo, 2);
            String first = ppo.policy().save(folder.resolve("first"));
            ppo.load(state);
            run(ppo, 2);
            assertThat(ppo.policy().save(folder.resolve("second"))).isEqualTo(first);
        }
    }

    @Test
    void a_state_of_another_seed_is_refused() {
        Path state = folder.resolve("state");
        try (Ppo ppo = trainer(6);
                Ppo other = new Ppo(new PolicyNetwork(TINY, 1), LearnedWorlds.small(2), settings(6, 1e-3), 2)) {
            ppo.save(state);
            assertThatThrownBy(() -> other.load(state))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("seed (1), not (2)");
        }
    }

    @Test
    void five_hundred_gradient_steps_leave_no_tensors_behind() {
        Ppo.Settings many = new Ppo.Settings(60, 2, 16, 1, 4, 1e-4, 0.2, 0.01, 0.001, 6, 0.5, 0.5, 0.5, 10);
        try (Ppo ppo = new Ppo(new PolicyNetwork(TINY, 1), LearnedWorlds.small(2), many, 1)) {
            run(ppo, 2);
            int before = ppo.policy().parameters().liveTensors();
            int steps = 0;
            while (steps < 500) {
                steps += ppo.update().minibatches();
            }
            assertThat(ppo.policy().parameters().liveTensors()).isEqualTo(before);
        }
    }

    @Test
    void a_loss_that_is_not_a_number_stops_and_says_where() {
        try (Ppo ppo = trainer(6)) {
            ppo.policy().parameters().get("value.weight").muli(Float.NaN);
            assertThatThrownBy(ppo::update)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("update (1): the policy loss is (NaN)");
        }
    }

    @Test
    void statistics_add_up() {
        try (Ppo ppo = trainer(6)) {
            UpdateStatistics first = ppo.update();
            assertThat(first.update()).isEqualTo(1);
            assertThat(first.steps()).isEqualTo(32);
            assertThat(first.decisions()).isBetween(32, 64);
            assertThat(first.rewardPerHour()).isNegative();
            assertThat(first.entropy()).isPositive();
            assertThat(first.kl()).isNotNegative();
            assertThat(first.minibatches()).isBetween(4, 8);
        }
    }

    @Test
    void settings_that_cannot_be_are_refused_by_name() {
        assertThatThrownBy(() -> settings(0, 1e-3)).hasMessageContaining("updates (0)");
        assertThatThrownBy(() -> settings(1, Double.NaN)).hasMessageContaining("learningRate (NaN)");
    }
}
