package org.trainyard.env.pipeline.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.pipeline.Layer;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.MicroBatchOrder;

class SppPlannerTest {
    /** Two pairs with ten times the bandwidth of all other links. */
    private static Devices pairs(int[]... pairs) {
        double[][] bandwidth = new double[4][4];
        for (double[] row : bandwidth) {
            Arrays.fill(row, 1);
        }
        for (int[] pair : pairs) {
            bandwidth[pair[0]][pair[1]] = 10;
            bandwidth[pair[1]][pair[0]] = 10;
        }
        return DeviceGraph.of(bandwidth);
    }

    private static LayerProfile profile(double[][] figures) {
        List<Layer> layers = new ArrayList<>();
        for (double[] f : figures) {
            layers.add(new Layer("layer " + layers.size(), f[0], f[1], f[2], f[3]));
        }
        return new LayerProfile("chain", 1, layers);
    }

    private static final Devices CROSSED = pairs(new int[] {0, 2}, new int[] {1, 3});
    private static final LayerProfile FOUR =
            profile(new double[][] {{1, 2, 1, 8}, {1, 2, 1, 8}, {1, 2, 1, 8}, {1, 2, 1, 8}});

    @Test
    void recursive_ordering_keeps_fast_pairs_together() {
        assertThat(DeviceOrder.of(CROSSED)).containsExactly(0, 2, 1, 3);
        assertThat(DeviceOrder.of(pairs(new int[] {0, 1}, new int[] {2, 3}))).containsExactly(0, 1, 2, 3);
    }

    @Test
    void recursive_ordering_keeps_servers_together() {
        int[] order = DeviceOrder.of(RandomProfiles.servers(4, 8));
        for (int i = 0; i < order.length; i++) {
            assertThat(order[i] / 8).isEqualTo(order[i - i % 8] / 8);
        }
    }

    @Test
    void four_layers_on_two_fast_pairs_become_two_replicated_stages() {
        PipelinePlan plan = new SppPlanner().plan(FOUR, CROSSED, 4);
        assertThat(plan.layout().stages())
                .containsExactly(new PipelineStage(0, 2, 0, 2), new PipelineStage(2, 4, 1, 3));
        assertThat(plan.times().schedule().forwardSeconds(1)).isEqualTo(0.25);
        assertThat(plan.times().schedule().makespan()).isEqualTo(15.5);
        assertThat(plan.times().allReduceSeconds(0)).isCloseTo(1.6, within(1e-12));
        assertThat(plan.iterationSeconds())
                .isCloseTo(17.1, within(1e-9))
                .isCloseTo(bruteForce(FOUR, CROSSED, 4), within(1e-9));
    }

    private static PipelinePlan withStages(LayerProfile profile, Devices devices, int stages, int microBatches) {
        StagePartition partition = new StagePartition(profile, devices, DeviceOrder.of(devices), microBatches, stages);
        StageLayout layout = new StageLayout(partition.stages(stages), MicroBatchOrder.DEEP);
        return PipelinePlan.of(profile, devices, layout, microBatches);
    }

    @Test
    void other_numbers_of_stages_and_other_orders_are_slower() {
        double[] expected = {60.0, 17.1, 20.8, 23.4};
        for (int stages = 1; stages <= 4; stages++) {
            PipelinePlan plan = withStages(FOUR, CROSSED, stages, 4);
            assertThat(plan.iterationSeconds()).isCloseTo(expected[stages - 1], within(0.05));
        }
        PipelinePlan unordered = SppPlanner.best(FOUR, CROSSED, new int[] {0, 1, 2, 3}, 4);
        assertThat(unordered.iterationSeconds()).isCloseTo(27.0, within(1e-9));
    }

    @Test
    void random_small_instances_are_within_half_of_the_optimum() {
        RandomGenerator random = RandomStreams.stream(3, "small pipelines");
        for (int i = 0; i < 60; i++) {
            double[][] figures = new double[4][];
            for (int l = 0; l < 4; l++) {
                figures[l] = new double[] {
                    1 + random.nextInt(4), 1 + random.nextInt(6), random.nextInt(4), random.nextInt(12)
                };
            }
            LayerProfile profile = profile(figures);
            Devices devices = i % 2 == 0 ? CROSSED : pairs(new int[] {0, 3}, new int[] {1, 2});
            double optimum = bruteForce(profile, devices, 4);
            double spp = new SppPlanner().plan(profile, devices, 4).iterationSeconds();
            assertThat(spp / optimum).as("instance %d", i).isBetween(1 - 1e-9, 1.5);
        }
    }

    @Test
    void two_stages_by_spp_are_never_longer_than_by_dapple() throws IOException {
        Devices devices = new DappleMachines(2, 4);
        for (String model : new String[] {"vgg-19-pbs-32", "bert-24-pbs-6", "xlnet-24-pbs-1"}) {
            LayerProfile profile = ProfiledModels.of(model);
            DappleReleasedPlanner.Bipartition dapple =
                    Objects.requireNonNull(DappleReleasedPlanner.bipartition(profile, devices, 16));
            StageLayout layout = new StageLayout(dapple.stages(), MicroBatchOrder.DEEP);
            double theirs = PipelinePlan.of(profile, devices, layout, 16).iterationSeconds();
            double ours = withStages(profile, devices, 2, 16).iterationSeconds();
            assertThat(ours).as(model).isLessThanOrEqualTo(theirs);
        }
    }

    /** The shortest iteration over all cuts, replica counts and orders of the GPUs, in deep order. */
    private static double bruteForce(LayerProfile profile, Devices devices, int microBatches) {
        List<int[]> orders = new ArrayList<>();
        permute(new ArrayList<>(), devices.count(), orders);
        double best = Double.POSITIVE_INFINITY;
        for (int[] order : orders) {
            best = Math.min(best, extend(profile, devices, microBatches, order, 0, 0, List.of()));
        }
        return best;
    }

    private static void permute(List<Integer> chosen, int count, List<int[]> orders) {
        if (chosen.size() == count) {
            orders.add(chosen.stream().mapToInt(Integer::intValue).toArray());
        }
        for (int i = 0; i < count; i++) {
            if (!chosen.contains(i)) {
                List<Integer> next = new ArrayList<>(chosen);
                Collections.addAll(next, i);
                permute(next, count, orders);
            }
        }
    }

    private static double extend(
            LayerProfile profile,
            Devices devices,
            int microBatches,
            int[] order,
            int layer,
            int gpu,
            List<PipelineStage> stages) {
        if (layer == profile.size()) {
            StageLayout layout = new StageLayout(stages, MicroBatchOrder.DEEP);
            return gpu == order.length
                    ? PipelinePlan.of(profile, devices, layout, microBatches).iterationSeconds()
                    : Double.POSITIVE_INFINITY;
        }
        double best = Double.POSITIVE_INFINITY;
        for (int end = layer + 1; end <= profile.size(); end++) {
            for (int next = gpu + 1; next <= order.length; next++) {
                List<PipelineStage> more = new ArrayList<>(stages);
                more.add(new PipelineStage(layer, end, Arrays.copyOfRange(order, gpu, next)));
                best = Math.min(best, extend(profile, devices, microBatches, order, end, next, more));
            }
        }
        return best;
    }
}
