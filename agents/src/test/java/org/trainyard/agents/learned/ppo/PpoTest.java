package org.trainyard.agents.learned.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.agents.learned.PpoBuilder;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.ClusterEnv;

class PpoTest {
    private static final PolicyNetwork.Settings TINY =
            new PolicyNetwork.Settings(PolicyNetwork.Encoder.HIERARCHICAL, 8, 1);

    @TempDir
    private Path folder;

    private static PpoBuilder settings(int updates, double learningRate) {
        return new PpoBuilder().run(updates, 2, 16).workers(2).steps(2, 8, learningRate);
    }

    private static Ppo trainer(int updates) {
        return trainer(settings(updates, 1e-3), WorkerPool.SEQUENTIAL, 1);
    }

    private static Ppo trainer(PpoBuilder builder, WorkerPool pool, long seed) {
        LearnerSettings.Ppo settings = builder.build();
        return new Ppo(
                new PolicyNetwork(TINY, 1),
                null,
                LearnedWorlds.allSmall(settings.environments()),
                settings,
                pool,
                seed);
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

    @Test
    void garbage_collection_at_any_moment_changes_nothing() throws Exception {
        assertGarbageCollectionChangesNothing(3);
    }

    @Tag("thorough")
    @Test
    void garbage_collection_at_any_moment_of_a_longer_run_changes_nothing() throws Exception {
        assertGarbageCollectionChangesNothing(12);
    }

    /** The engine reads Java memory: a buffer in use must neither be collected nor be overwritten by its next owner. */
    private void assertGarbageCollectionChangesNothing(int updates) throws Exception {
        String quiet;
        try (Ppo ppo = trainer(updates)) {
            run(ppo, updates);
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
                // Or else hardly anything but collecting would be done where the heap is full of what other tests left.
                LockSupport.parkNanos(5_000_000);
            }
        });
        collector.start();
        try (Ppo ppo = trainer(updates)) {
            run(ppo, updates);
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
                Ppo other = trainer(settings(6, 1e-3), WorkerPool.SEQUENTIAL, 2)) {
            ppo.save(state);
            assertThatThrownBy(() -> other.load(state))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("seed (1), not (2)");
        }
    }

    @Test
    void a_hundred_gradient_steps_leave_no_tensors_behind() {
        PpoBuilder small = new PpoBuilder().run(60, 2, 16).steps(1, 4, 1e-4).targetKl(10);
        try (Ppo ppo = trainer(small, WorkerPool.SEQUENTIAL, 1)) {
            run(ppo, 2);
            int before = ppo.policy().parameters().liveTensors();
            int steps = 0;
            while (steps < 100) {
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
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("update 1: the ")
                    .hasMessageContaining("is NaN")
                    .message()
                    .doesNotContain("\n");
        }
    }

    @Test
    void a_gradient_that_is_not_finite_stops_and_names_its_parameter() {
        try (Ppo ppo = trainer(6)) {
            // The actor's losses do not see how large the critic's weights are; their gradients overflow.
            ppo.policy().parameters().get("value.weight").muli(1e10f);
            assertThatThrownBy(ppo::update)
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("update 1: the gradient of ")
                    .hasMessageContaining("expected a finite number");
        }
    }

    @Test
    void a_learning_rate_beyond_all_measure_stops_and_leaves_the_last_state_as_it_was() throws Exception {
        Path state = folder.resolve("state");
        try (Ppo ppo = trainer(settings(6, 1e38), WorkerPool.SEQUENTIAL, 1)) {
            ppo.save(state);
            byte[] good = Files.readAllBytes(state);
            assertThatThrownBy(() -> run(ppo, 6))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("update 1: the ");
            assertThat(ppo.updates()).isZero();
            assertThat(Files.readAllBytes(state)).isEqualTo(good);
            ppo.load(state);
            assertThat(ppo.policy().parameters().get("value.weight").toFloatArray())
                    .doesNotContain(Float.NaN);
        }
    }

    @Test
    void threads_do_not_change_what_is_learned() {
        PpoBuilder four = new PpoBuilder()
                .run(3, 8, 16)
                .workers(4)
                .group(2)
                .teacher(false, 1, 0.5)
                .imitate(1);
        String alone;
        try (Ppo ppo = trainer(four, WorkerPool.SEQUENTIAL, 1)) {
            run(ppo, 3);
            alone = ppo.policy().save(folder.resolve("alone"));
        }
        WorkerPool threads = (count, work) -> IntStream.range(0, count)
                .mapToObj(i -> CompletableFuture.runAsync(() -> work.accept(i), task -> new Thread(task).start()))
                .toList()
                .forEach(CompletableFuture::join);
        try (Ppo ppo = trainer(four, threads, 1)) {
            run(ppo, 3);
            assertThat(ppo.policy().save(folder.resolve("threads"))).isEqualTo(alone);
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
    void a_minibatch_of_fewer_states_than_workers_keeps_the_gradients_of_all_of_them() {
        PpoBuilder single = new PpoBuilder().run(6, 4, 4).workers(4).steps(1, 1, 1e-3);
        try (Ppo ppo = trainer(single, WorkerPool.SEQUENTIAL, 1)) {
            assertThat(ppo.update().gradientNorm()).isPositive();
        }
    }

    @Test
    void only_observations_of_agents_with_a_choice_and_one_in_eight_others_are_kept() {
        ClusterEnv env = LearnedWorlds.allSmall(1).get(0);
        RolloutBuffer rollout = new RolloutBuffer(1, env.agents(), env.spec(), 64, false);
        try (PolicyNetwork policy = new PolicyNetwork(TINY, 1)) {
            RolloutCollector collector = new RolloutCollector(rollout, List.of(env), 0, 1, policy, null);
            for (int update = 0; update < 3; update++) {
                collector.collect(policy, RandomStreams.stream(1, "test/" + update), false, 0);
                int kept = 0;
                for (int at = 0; at < rollout.active.length; at++) {
                    kept += rollout.rows[at] == null ? 0 : 1;
                    assertThat(rollout.rows[at] != null || !rollout.active[at]).isTrue();
                }
                int inactive = rollout.active.length - rollout.decisions();
                assertThat(kept).isBetween(rollout.decisions(), rollout.decisions() + inactive / 4 + 2);
            }
        }
    }
}
