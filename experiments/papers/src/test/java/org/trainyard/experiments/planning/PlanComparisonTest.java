package org.trainyard.experiments.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.pipeline.Layer;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** Plans of two layers of 3 ms, worked out by hand. */
class PlanComparisonTest {
    private static List<PlanRow> rows(String cluster, double megabytes, int microBatches, String... planners) {
        Layer layer = new Layer("layer", 0.001, 0.002, 1, megabytes * 1e6);
        Topology topology = Objects.requireNonNull(Topologies.parse(cluster));
        Placement gpus =
                Placement.of(topology, IntStream.range(0, topology.gpus()).toArray());
        return PlanComparison.on(
                        new LayerProfile("two", 1, List.of(layer, layer)),
                        topology,
                        gpus,
                        microBatches,
                        List.of(planners))
                .rows();
    }

    /** Parameters too large to all-reduce: a stage on each server, 3 ms x (4 micro-batches + 1 stage to fill). */
    @Test
    void a_pipeline_of_two_stages_takes_a_stage_longer_than_its_micro_batches() {
        assertThat(rows("2x1", 1000, 4, "spp", "dapple", "gpipe", "pipedream"))
                .allSatisfy(row ->
                        assertThat(row.iterationSeconds()).as(row.planner()).isCloseTo(0.015, within(1e-6)));
    }

    /**
     * 2 x 3 ms x 2 micro-batches on two GPUs, and 2 MB all-reduced at 150 GB/s; layouts that split the weights exchange
     * activations alone.
     */
    @Test
    void data_parallelism_on_one_server_takes_its_share_and_the_all_reduce() {
        assertThat(rows("1x2", 1, 2, "dp", "spp"))
                .allSatisfy(row ->
                        assertThat(row.iterationSeconds()).as(row.planner()).isCloseTo(0.0060133, within(1e-6)));
        assertThat(rows("1x2", 1, 2, "sbp").get(0).iterationSeconds()).isCloseTo(0.006, within(1e-6));
    }
}
