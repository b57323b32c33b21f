package org.trainyard.agents.learned.dqn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.agents.learned.auction.AuctionWorlds;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.training.UpdateMetric;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.reward.DelayReward;
import org.trainyard.env.gym.reward.JobSpeeds;

class DqnTrainerTest {
    @TempDir
    private Path folder;

    private static Dqn settings(int updates) {
        return new Dqn(
                8, updates, 2, 2, 1500, 100, 8, 64, 2, 20, 5e-3, 5e-4, 1, 0.05, 0.5, 10, 0.2, 1, 0.8, "Gittins", 6, 4,
                2, true);
    }

    private static DqnTrainer dqn(int updates, WorkerPool pool, long seed) {
        BidPolicy start = AuctionWorlds.policy(InitialBids.random(8, RandomStreams.stream(seed, "test/weights")));
        return new DqnTrainer(
                start,
                settings(updates),
                AuctionWorlds.deployment(),
                () -> new DelayReward(
                        JobSpeeds.believed(AuctionWorlds.deployment().topology(), LearnedWorlds.BELIEF), false),
                number -> () -> AuctionWorlds.simulator(number),
                pool,
                seed);
    }

    private static UpdateStatistics run(DqnTrainer dqn, int updates) {
        UpdateStatistics last = dqn.update();
        for (int i = 1; i < updates; i++) {
            last = dqn.update();
        }
        return last;
    }

    @Test
    void it_learns_from_random_weights_to_let_short_jobs_go_first() {
        try (DqnTrainer dqn = dqn(40, WorkerPool.SEQUENTIAL, 3)) {
            double untrained = AuctionWorlds.meanJctSeconds(dqn.policy());
            UpdateStatistics last = run(dqn, 40);
            assertThat(dqn.isDone()).isTrue();
            assertThat(last.get(UpdateMetric.VALUE_LOSS)).isPositive();
            double trained = AuctionWorlds.meanJctSeconds(dqn.policy());
            double rule = AuctionWorlds.meanJctSeconds(
                    AuctionWorlds.policy(InitialBids.patient(1, 1, RandomStreams.stream(1, "test/rule"))));

            assertThat(trained).isLessThan(0.7 * untrained);
            assertThat(trained).as("shortest work first").isLessThan(1.15 * rule);
        }
    }

    @Test
    void a_run_saved_and_loaded_goes_on_to_the_same_bytes() {
        String straight;
        try (DqnTrainer dqn = dqn(6, WorkerPool.SEQUENTIAL, 1)) {
            run(dqn, 3);
            dqn.save(folder.resolve("state"));
            assertThat(run(dqn, 3).get(UpdateMetric.MINIBATCHES)).isPositive();
            straight = dqn.policy().save(folder.resolve("straight"));
            dqn.save(folder.resolve("straight-state"));
        }
        try (DqnTrainer dqn = dqn(6, WorkerPool.SEQUENTIAL, 1)) {
            dqn.update();
            dqn.load(folder.resolve("state"));
            assertThat(dqn.updates()).isEqualTo(3);
            run(dqn, 3);
            assertThat(dqn.policy().save(folder.resolve("resumed"))).isEqualTo(straight);
            dqn.save(folder.resolve("resumed-state"));
        }
        assertThat(folder.resolve("resumed-state")).hasSameBinaryContentAs(folder.resolve("straight-state"));
    }

    @Test
    void another_seed_is_another_run_and_its_file_is_refused() {
        try (DqnTrainer one = dqn(2, WorkerPool.SEQUENTIAL, 1);
                DqnTrainer other = dqn(2, WorkerPool.SEQUENTIAL, 2)) {
            one.save(folder.resolve("one"));
            assertThatThrownBy(() -> other.load(folder.resolve("one")))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("seed (1), not (2)");
        }
    }

    @Test
    void threads_do_not_change_what_is_learned() {
        WorkerPool threads = (count, work) -> IntStream.range(0, count)
                .mapToObj(i -> CompletableFuture.runAsync(() -> work.accept(i), task -> new Thread(task).start()))
                .toList()
                .forEach(CompletableFuture::join);
        try (DqnTrainer alone = dqn(4, WorkerPool.SEQUENTIAL, 3);
                DqnTrainer together = dqn(4, threads, 3)) {
            assertThat(run(together, 4).get(UpdateMetric.GRADIENT_NORM))
                    .isEqualTo(run(alone, 4).get(UpdateMetric.GRADIENT_NORM));
            assertThat(together.policy().save(folder.resolve("together")))
                    .isEqualTo(alone.policy().save(folder.resolve("alone")));
        }
    }

    @Test
    void learning_begins_after_the_warm_up() {
        try (DqnTrainer dqn = dqn(8, WorkerPool.SEQUENTIAL, 1)) {
            UpdateStatistics first = dqn.update();
            assertThat(first.get(UpdateMetric.EPISODES)).isEqualTo(2);
            assertThat(first.get(UpdateMetric.MEAN_JCT_SECONDS)).isGreaterThan(300);
            assertThat(first.get(UpdateMetric.DECISIONS)).isBetween(20.0, 99.0);
            assertThat(first.get(UpdateMetric.MINIBATCHES)).isZero();
            UpdateStatistics fourth = run(dqn, 3);
            assertThat(fourth.get(UpdateMetric.MINIBATCHES))
                    .isBetween(fourth.get(UpdateMetric.DECISIONS) / 8, fourth.get(UpdateMetric.DECISIONS) / 8 + 1);
        }
    }

    @Test
    void exploration_and_learning_rate_fall_linearly() {
        Dqn settings = settings(10);

        assertThat(settings.epsilon(0)).isEqualTo(1);
        assertThat(settings.epsilon(2)).isCloseTo(0.62, within(1e-12));
        assertThat(settings.epsilon(5)).isCloseTo(0.05, within(1e-12));
        assertThat(settings.epsilon(9)).isCloseTo(0.05, within(1e-12));
        assertThat(settings.learningRate(0)).isEqualTo(5e-3);
        assertThat(settings.learningRate(5)).isCloseTo(2.75e-3, within(1e-12));
    }

    @Test
    void the_loss_is_that_of_huber() {
        HuberLoss loss = new HuberLoss();
        try (NDManager manager = NDManager.newBaseManager()) {
            NDArray zeros = manager.create(new float[2]);
            NDArray predictions = manager.create(new float[] {0.5f, -3});
            assertThat(loss.evaluate(new NDList(zeros), new NDList(predictions)).getFloat())
                    .isEqualTo(0.125f + 2.5f);
        }
        assertThat(loss.mean()).isCloseTo(1.3125, within(1e-9));
    }
}
