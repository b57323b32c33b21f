package org.trainyard.env.workload.goodput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.RandomStreams;

class GoodputModelTest {
    private static final ThroughputParameters TIMES = new ThroughputParameters(0.1, 0.01, 0.3, 0.02, 0.05, 0.01, 2);
    private static final BatchLimits LIMITS = new BatchLimits(32, 1024, 4, 64);

    @Test
    void a_batch_is_fully_efficient_at_the_initial_scale_whatever_the_noise() {
        for (double noise : new double[] {0, 1e-6, 0.5, 3, 1e9}) {
            assertThat(new GradientNoise(1, noise).efficiency(1)).isEqualTo(1);
        }
    }

    /** (3 + 1) / (3 / 2 + 1) = 1.6 iterations' worth for twice the samples. */
    @ParameterizedTest
    @CsvSource({"3,1,2,1.6,0.8", "0,1,4,1,0.25", "1,0,4,4,1", "0,0,4,1,0.25"})
    void gain_and_efficiency_are_those_of_the_paper(
            double variance, double squaredNorm, double scale, double gain, double efficiency) {
        GradientNoise noise = new GradientNoise(squaredNorm, variance);
        assertThat(noise.gain(scale)).isCloseTo(gain, within(1e-12));
        assertThat(noise.efficiency(scale)).isCloseTo(efficiency, within(1e-12));
    }

    @Test
    void a_step_is_the_norm_of_compute_and_synchronisation() {
        // Compute 0.1 + 0.01 x 20 = 0.3 s; across servers 0.3 + 0.02 x (7 - 2) = 0.4 s; the norm of both 0.5 s.
        assertThat(TIMES.computeSeconds(20)).isCloseTo(0.3, within(1e-12));
        assertThat(TIMES.syncSeconds(2, 7)).isCloseTo(0.4, within(1e-12));
        assertThat(TIMES.syncSeconds(1, 4)).isCloseTo(0.07, within(1e-12));
        assertThat(TIMES.syncSeconds(1, 1)).isZero();
        assertThat(TIMES.stepSeconds(2, 7, 20)).isCloseTo(0.5, within(1e-12));
        assertThat(TIMES.iterationSeconds(2, 7, 20, 3)).isCloseTo(1.4, within(1e-12));
    }

    @Test
    void overlap_lies_between_the_sum_and_the_maximum() {
        assertThat(withGamma(1).stepSeconds(2, 7, 20)).isCloseTo(0.7, within(1e-12));
        assertThat(withGamma(10).stepSeconds(2, 7, 20)).isBetween(0.4, 0.403);
        assertThatThrownBy(() -> withGamma(11)).hasMessageContaining("11");
    }

    private static ThroughputParameters withGamma(double gamma) {
        return new ThroughputParameters(0.1, 0.01, 0.3, 0.02, 0.05, 0.01, gamma);
    }

    @Test
    void the_best_batch_is_near_that_of_an_exhaustive_search_and_within_the_limits() {
        RandomGenerator random = RandomStreams.stream(1, "goodput");
        for (int draw = 0; draw < 200; draw++) {
            GoodputModel model = new GoodputModel(
                    new ThroughputParameters(
                            random.nextDouble(),
                            0.1 * random.nextDouble(),
                            random.nextDouble(),
                            0.1 * random.nextDouble(),
                            random.nextDouble(),
                            0.1 * random.nextDouble(),
                            1 + 9 * random.nextDouble()),
                    new GradientNoise(1, Math.exp(4 * random.nextGaussian())),
                    LIMITS);
            int gpus = 1 + random.nextInt(64);
            int nodes = 1 + random.nextInt(gpus);
            BatchChoice best = model.best(nodes, gpus);
            assertThat(best.localBatch()).isBetween(LIMITS.leastLocal(), LIMITS.mostLocal());
            assertThat(globalBatch(best, gpus))
                    .isBetween(LIMITS.initial(), LIMITS.most() + gpus * (1 + best.accumulationSteps()));
            assertThat(best.goodput())
                    .isEqualTo(model.goodput(nodes, gpus, best.localBatch(), best.accumulationSteps()))
                    .isBetween(0.97 * exhaustive(model, nodes, gpus), exhaustive(model, nodes, gpus) * (1 + 1e-12));
        }
    }

    /**
     * Over all global batches, accumulating only where the memory demands it, or where one replica cannot measure
     * noise.
     */
    private static double exhaustive(GoodputModel model, int nodes, int gpus) {
        double best = 0;
        for (int batch = Math.max(LIMITS.initial(), LIMITS.leastLocal() * gpus); batch <= LIMITS.most(); batch++) {
            int parts = 1;
            while (parts * gpus * LIMITS.mostLocal() < batch || (gpus == 1 && batch > LIMITS.initial() && parts < 2)) {
                parts++;
            }
            int local = -Math.floorDiv(-batch, gpus * parts);
            if (local >= LIMITS.leastLocal()) {
                best = Math.max(best, model.goodput(nodes, gpus, local, parts - 1));
            }
        }
        return best;
    }

    private static int globalBatch(BatchChoice choice, int replicas) {
        return replicas * choice.localBatch() * (choice.accumulationSteps() + 1);
    }

    @Test
    void noisy_gradients_make_a_larger_batch_best() {
        assertThat(globalBatch(best(0.01, 4), 4)).isEqualTo(32);
        assertThat(globalBatch(best(1000, 4), 4)).isGreaterThan(200);
    }

    @Test
    void one_replica_beyond_the_initial_batch_accumulates() {
        assertThat(best(1000, 1).accumulationSteps()).isPositive();
    }

    @Test
    void more_replicas_than_the_largest_batch_feeds_have_no_goodput() {
        assertThat(LIMITS.mostReplicas()).isEqualTo(256);
        assertThat(new GoodputModel(TIMES, new GradientNoise(1, 1), LIMITS)
                        .best(64, 257)
                        .goodput())
                .isZero();
    }

    private static BatchChoice best(double variance, int gpus) {
        return new GoodputModel(TIMES, new GradientNoise(1, variance), LIMITS).best(1, gpus);
    }
}
