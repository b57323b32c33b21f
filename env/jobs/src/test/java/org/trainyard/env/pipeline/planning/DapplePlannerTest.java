package org.trainyard.env.pipeline.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.PipelineBounds;

class DapplePlannerTest {
    private static final Devices PAIR = new DappleMachines(2, 8);

    @Test
    void three_policies_place_five_gpus_beside_three() {
        BitSet occupied = new BitSet();
        occupied.set(0, 3);
        assertThat(DevicePlacement.candidates(PAIR, occupied, 5))
                .containsExactly(new int[] {8, 9, 10, 11, 12}, new int[] {3, 4, 5, 6, 7}, new int[] {3, 4, 5, 8, 9});
    }

    @Test
    void vgg_19_is_cut_after_its_last_convolution() throws IOException {
        LayerProfile vgg = ProfiledModels.of("vgg-19-pbs-32");
        assertThat(vgg.size()).isEqualTo(25);
        assertThat(64 * vgg.computeSeconds()).isCloseTo(9.22944, within(1e-9));
        assertThat(vgg.parameterBytes()).isEqualTo(548_047_022);
        DappleReleasedPlanner.Bipartition best = bipartition(vgg, PAIR, 64);
        PipelineStage first = best.stages().get(0);
        assertThat(vgg.layers().get(first.end() - 1).name()).isEqualTo("node19");
        assertThat(first.replicas()).isEqualTo(15);
        assertThat(64 * vgg.computeSeconds(0, 18) / 15).isCloseTo(0.581696, within(1e-9));
        assertThat(64 * vgg.computeSeconds(18, 25)).isCloseTo(0.504, within(1e-9));
        assertThat(PAIR.allReduceSeconds(first.gpus(), vgg.parameterBytes(0, 19)))
                .isCloseTo(0.0419284, within(1e-7));
        assertThat(best.speedup()).isCloseTo(12.0623, within(1e-4));
        assertThat(DappleReleasedPlanner.dataParallelSpeedup(vgg, PAIR, 64)).isCloseTo(10.039, within(1e-3));
    }

    @ParameterizedTest
    @CsvSource({
        "vgg-19-pbs-32,   2, 64,  15, 12.06",
        "bert-48-pbs-2,   2, 32,  8,  10.5561",
        "xlnet-36-pbs-1,  2, 128, 8,  14.0980",
        "gnmt-16-pbs-64,  2, 16,  8,  7.84",
        "amoeba-36-pbs-1, 2, 128, 8,  11.68",
        "vgg-19-pbs-32,   16, 64, 14, 10.31",
        "bert-48-pbs-2,   16, 32, 7,  6.11",
        "xlnet-36-pbs-1,  16, 128, 7, 11.62",
        "gnmt-16-pbs-64,  16, 16, 7,  4.57",
        "amoeba-36-pbs-1, 16, 128, 11, 8.11",
    })
    void released_search_gives_the_authors_speedups(
            String model, int machines, int microBatches, int firstReplicas, double speedup) throws IOException {
        Devices devices = new DappleMachines(machines, 16 / machines);
        DappleReleasedPlanner.Bipartition best = bipartition(ProfiledModels.of(model), devices, microBatches);
        assertThat(best.stages().get(0).replicas()).isEqualTo(firstReplicas);
        assertThat(best.speedup()).isCloseTo(speedup, within(0.005 * speedup));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 16})
    void data_parallelism_on_their_profiles_is_the_iteration_of_a_ring(int workers) throws IOException {
        LayerProfile vgg = ProfiledModels.of("vgg-19-pbs-32");
        double[][] bandwidth = new double[workers][workers];
        for (double[] row : bandwidth) {
            Arrays.fill(row, 3.125e9);
        }
        double ring = 2 * vgg.parameterBytes() * (workers - 1) / (workers * 3.125e9);
        PipelinePlan plan = new DataParallelPlanner().plan(vgg, DeviceGraph.of(bandwidth), 64);
        assertThat(plan.iterationSeconds()).isCloseTo(64 * vgg.computeSeconds() / workers + ring, within(1e-9));
    }

    private static DappleReleasedPlanner.Bipartition bipartition(
            LayerProfile profile, Devices devices, int microBatches) {
        return Objects.requireNonNull(DappleReleasedPlanner.bipartition(profile, devices, microBatches));
    }

    @Test
    void the_search_of_the_paper_is_never_worse_than_the_released_one() throws IOException {
        for (String model : new String[] {"vgg-19-pbs-32", "bert-48-pbs-2", "gnmt-16-pbs-64"}) {
            LayerProfile profile = ProfiledModels.of(model);
            double paper = new DapplePlanner().plan(profile, PAIR, 32).iterationSeconds();
            double released =
                    new DappleReleasedPlanner().plan(profile, PAIR, 32).iterationSeconds();
            assertThat(paper).as(model).isLessThanOrEqualTo(1.02 * released);
        }
    }

    @Test
    void every_planner_uses_every_gpu_at_most_once_and_respects_the_bounds() {
        RandomGenerator random = RandomStreams.stream(5, "profiles");
        for (int i = 0; i < 20; i++) {
            LayerProfile profile = RandomProfiles.of(random, 3 + random.nextInt(10));
            Devices devices = RandomProfiles.servers(1 + random.nextInt(3), 1 + random.nextInt(4));
            for (PlannerKind kind : PlannerKind.values()) {
                PipelinePlan plan = kind.planner().plan(profile, devices, 4);
                boolean[] used = new boolean[devices.count()];
                int layer = 0;
                for (PipelineStage stage : plan.layout().stages()) {
                    assertThat(stage.first()).as(kind.label()).isEqualTo(layer);
                    layer = stage.end();
                    for (int gpu : stage.gpus()) {
                        assertThat(used[gpu]).as(kind.label()).isFalse();
                        used[gpu] = true;
                    }
                }
                assertThat(layer).isEqualTo(profile.size());
                int resources = plan.times().schedule().resources();
                double[] forward = new double[resources];
                double[] backward = new double[resources];
                for (int r = 0; r < resources; r++) {
                    forward[r] = plan.times().schedule().forwardSeconds(r);
                    backward[r] = plan.times().schedule().backwardSeconds(r);
                }
                int each = plan.times().schedule().microBatches();
                assertThat(plan.iterationSeconds() * (1 + 1e-9))
                        .as(kind.label())
                        .isGreaterThanOrEqualTo(PipelineBounds.lower(forward, backward, each));
                assertThat(plan.bubbleShare()).as(kind.label()).isBetween(-1e-9, 1.0);
            }
        }
    }
}
