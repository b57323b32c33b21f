package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

class PlacementPreviewTest {
    private static final Topology TOPOLOGY = Topology.uniform("pair", Fabric.DEFAULT, 1, 2, ServerSpec.ofV100(4), 1);
    private static final InterferenceModel HALF_BY_NEIGHBOUR = (victim, place) -> 1 + place.count() / 2.0;

    /**
     * A job of 1 GPU beside one of 2 GPUs with 100 s left slows both down by a half, its neighbour only while both run,
     * and leaves 1 of 4 GPUs; on the empty server it leaves 3.
     */
    @ParameterizedTest
    @CsvSource({"50, 0, 0, 1.0", "50, 0, 0.5, 1.125", "200, 0, 0.5, 0.875", "50, 1, 0, 0", "50, 1, 0.5, 0.375"})
    void a_place_costs_slowdown_harm_and_gpus_left_over(long seconds, int server, double weight, double cost) {
        Simulator simulator = TimedJobs.list().job(2, 0, 100).job(1, 0, seconds).simulator(TOPOLOGY);
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(TOPOLOGY, 0, 1)));

        PlacementPreview preview = new PlacementPreview(TOPOLOGY, HALF_BY_NEIGHBOUR);

        assertThat(preview.costOn(simulator.view(), 1, server, weight)).isEqualTo(cost);
    }
}
