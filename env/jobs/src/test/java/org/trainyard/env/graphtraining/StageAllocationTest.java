package org.trainyard.env.graphtraining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.RandomStreams;

/**
 * The program of BGL's resource isolation against its known answers, its closed form and a search through all
 * allocations.
 */
class StageAllocationTest {
    private static final double MILLI = 1e-3;
    private static final MiniBatch BATCH = new MiniBatch(0.030, 0.090, 0.040, 0.060, 0.002, 0.005, 5e6, 195e6);
    private static final ServerShare SERVER = new ServerShare(16, 12, 1e9, 12.5e9);

    private static Stages stages(double hits) {
        return new Stages(BATCH, 1, 16, hits, hits, 0.005);
    }

    @ParameterizedTest
    @CsvSource({"0, 17.727, 7", "0.5, 8.864, 7", "0.8, 8.0, 4", "0.95, 8.0, 4"})
    void the_known_mini_batch_takes_the_known_time(double hits, double millis, int bottleneck) {
        StageAllocation best = StageAllocation.of(stages(hits), SERVER);
        assertThat(best.seconds()).isCloseTo(millis * MILLI, within(5e-7));
        assertThat(best.bottleneck()).isEqualTo(bottleneck);
    }

    @Test
    void the_known_mini_batch_has_the_known_allocation() {
        StageAllocation half = StageAllocation.of(stages(0.5), SERVER);
        assertThat(new int[] {
                    half.requestCores(),
                    half.buildCores(),
                    half.processCores(),
                    half.lookUpCores(),
                    half.graphUnits(),
                    half.featureUnits()
                })
                .containsExactly(4, 12, 5, 11, 1, 11);
        StageAllocation none = StageAllocation.of(stages(0), SERVER);
        assertThat(none.graphUnits()).isEqualTo(1);
        assertThat(none.featureUnits()).isEqualTo(11);
    }

    @Test
    void no_allocation_is_faster() {
        RandomGenerator random = RandomStreams.stream(1, "allocations of stages");
        for (int i = 0; i < 300; i++) {
            Stages stages = drawn(random);
            ServerShare share = new ServerShare(
                    random.nextInt(2, 9),
                    random.nextInt(2, 9),
                    1e9 * random.nextDouble(0.2, 3),
                    1e9 * random.nextInt(1, 20));
            assertThat(StageAllocation.of(stages, share).seconds()).isEqualTo(fastest(stages, share));
        }
    }

    static Stages drawn(RandomGenerator random) {
        MiniBatch batch = new MiniBatch(
                random.nextDouble(0.001, 0.1),
                random.nextDouble(0.001, 0.1),
                random.nextDouble(0.001, 0.1),
                random.nextDouble(0.001, 0.1),
                random.nextDouble(0, 0.005),
                0.01,
                random.nextDouble(1e6, 1e7),
                random.nextDouble(1e7, 3e8));
        double remote = random.nextDouble();
        return new Stages(
                batch,
                random.nextInt(1, 4),
                random.nextInt(2, 8),
                remote,
                remote * random.nextDouble(),
                random.nextDouble(0.001, 0.03));
    }

    /** Through all six integers. */
    private static double fastest(Stages stages, ServerShare share) {
        double unit = share.bytesPerSecondPerUnit();
        MiniBatch batch = stages.batch();
        double least = Double.POSITIVE_INFINITY;
        for (int c1 = 1; c1 < stages.storeCores(); c1++) {
            for (int c2 = 1; c1 + c2 <= stages.storeCores(); c2++) {
                for (int c3 = 1; c3 < share.cores(); c3++) {
                    for (int c4 = 1; c3 + c4 <= share.cores(); c4++) {
                        for (int b1 = 1; b1 < share.pcieUnits(); b1++) {
                            for (int b2 = 1; b1 + b2 <= share.pcieUnits(); b2++) {
                                double slowest =
                                        Math.max(batch.requestCoreSeconds() / c1, batch.buildCoreSeconds() / c2);
                                slowest = Math.max(slowest, stages.networkBytes() / share.nicBytesPerSecond());
                                slowest = Math.max(slowest, Math.max(stages.process(c3), stages.lookUp(c4)));
                                slowest = Math.max(slowest, stages.moveGraph(b1 * unit));
                                slowest = Math.max(slowest, stages.moveFeatures(b2 * unit));
                                least = Math.min(least, Math.max(slowest, stages.gpuSeconds()));
                            }
                        }
                    }
                }
            }
        }
        return least;
    }

    @Test
    void more_of_anything_never_takes_longer_and_no_time_is_below_its_bounds() {
        RandomGenerator random = RandomStreams.stream(2, "allocations of stages");
        for (int i = 0; i < 300; i++) {
            Stages stages = drawn(random);
            ServerShare share = new ServerShare(random.nextInt(2, 40), random.nextInt(2, 40), 1e9, 12.5e9);
            double seconds = StageAllocation.of(stages, share).seconds();
            Stages better = new Stages(
                    stages.batch(),
                    stages.workers(),
                    stages.storeCores() + 1,
                    Math.min(1, stages.remoteHits() + 0.1),
                    Math.min(stages.remoteHits(), stages.gpuHits() + 0.05),
                    stages.gpuSeconds());
            ServerShare larger = new ServerShare(share.cores() + 1, share.pcieUnits() + 1, 1e9, 13e9);

            assertThat(StageAllocation.of(better, share).seconds()).isLessThanOrEqualTo(seconds);
            assertThat(StageAllocation.of(stages, larger).seconds()).isLessThanOrEqualTo(seconds);
            assertThat(seconds)
                    .isGreaterThanOrEqualTo(stages.gpuSeconds())
                    .isGreaterThanOrEqualTo(stages.moveFeatures(share.pcieUnits() * 1e9));
        }
    }

    @Test
    void two_stages_on_whole_cores_are_no_faster_than_on_any_parts_of_cores() {
        RandomGenerator random = RandomStreams.stream(3, "allocations of stages");
        for (int i = 0; i < 200; i++) {
            Stages stages = drawn(random);
            double both = stages.batch().requestCoreSeconds() + stages.batch().buildCoreSeconds();
            double closed = both / stages.storeCores();
            StageAllocation best = StageAllocation.of(stages, new ServerShare(200, 200, 1e12, 1e12));
            double whole = Math.max(
                    stages.batch().requestCoreSeconds() / best.requestCores(),
                    stages.batch().buildCoreSeconds() / best.buildCores());
            assertThat(whole).isGreaterThanOrEqualTo(closed * (1 - 1e-12));
            // At c = C T1 / (T1 + T2) both stages take the closed form.
            double part = stages.storeCores() * stages.batch().requestCoreSeconds() / both;
            assertThat(stages.batch().requestCoreSeconds() / part).isCloseTo(closed, within(1e-12));
            assertThat(stages.batch().buildCoreSeconds() / (stages.storeCores() - part))
                    .isCloseTo(closed, within(1e-12));
        }
    }

    @Test
    void stages_that_contend_add_up_on_each_resource() {
        // Workers: (40 + 60) / 16 x 1.05 + 2 = 8.5625 ms; stores 120 / 16 x 1.05 = 7.875; PCIe (5 + 195) / 12 = 16.667.
        assertThat(StageAllocation.contendedSeconds(stages(0), SERVER)).isCloseTo(0.2 / 12, within(1e-9));
        assertThat(StageAllocation.contendedSeconds(stages(1), SERVER)).isCloseTo(0.0085625, within(1e-9));
    }
}
