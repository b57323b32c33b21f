package org.trainyard.env.scheduling.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/** Racks with room for 2 + 4, 4 + 4 + 4, 3, and 1 + 4 + 3 GPUs. */
class SegmentRacksTest {
    private static final ServerSpec FOUR = ServerSpec.ofV100(4);
    private static final Topology TOPOLOGY = new Topology.Builder("racks", Fabric.DEFAULT)
            .rack(List.of(FOUR, FOUR))
            .rack(List.of(FOUR, FOUR, FOUR))
            .rack(List.of(FOUR))
            .rack(List.of(FOUR, FOUR, FOUR))
            .build();

    private static int[] servers(int gpus, int segment) {
        Simulator simulator = TimedJobs.list()
                .job(2, 0, 100)
                .job(1, 0, 100)
                .job(3, 0, 100)
                .job(1, 0, 100)
                .simulator(TOPOLOGY);
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(TOPOLOGY, 0, 1)));
        simulator.apply(new Decision.Start(1, Placement.of(TOPOLOGY, 20)));
        simulator.apply(new Decision.Start(2, Placement.of(TOPOLOGY, 24, 25, 26)));
        simulator.apply(new Decision.Start(3, Placement.of(TOPOLOGY, 32)));
        SimView view = simulator.view();
        return SegmentRacks.servers(view, Demand.ofGpus(gpus).inSegments(segment));
    }

    @Test
    void the_tightest_rack_that_holds_all_segments_comes_first_and_in_it_the_servers_with_most_room() {
        assertThat(servers(8, 4)).containsExactly(7, 8, 6, 2, 3, 4, 1, 0);
        assertThat(servers(6, 2)).containsExactly(1, 0, 7, 8, 6, 2, 3, 4, 5);
        assertThat(servers(3, 3)).containsExactly(5, 1, 0, 7, 8, 6, 2, 3, 4);
    }

    @Test
    void without_one_the_racks_with_most_segments_come_first_and_of_equals_the_tightest() {
        assertThat(servers(16, 4)).containsExactly(2, 3, 4, 7, 8, 6, 1, 0);
        assertThat(servers(18, 6)).containsExactly(2, 3, 4, 1, 0, 7, 8, 6);
        assertThat(servers(15, 3)).containsExactly(2, 3, 4, 1, 0, 7, 8, 6, 5);
    }

    @Test
    void racks_and_servers_without_room_are_left_out() {
        assertThat(servers(9, 9)).containsExactly(2, 3, 4);
        assertThat(servers(13, 13)).isEmpty();
    }
}
