package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/** Servers of 8 GPUs on two sockets: server 0 has GPUs 0..3 and 4..7. */
class PlacementBuilderTest {
    private final Topology medium = Topologies.medium();
    private final Cluster cluster = new Cluster(medium);
    private final PlacementBuilder builder = new PlacementBuilder(medium, cluster);

    private Placement take(int server, int gpus) {
        builder.take(server, gpus);
        return builder.build();
    }

    @Test
    void it_takes_the_socket_that_fits_most_tightly() {
        cluster.allocate(0, Demand.ofGpus(1), Placement.of(medium, 4, 5));

        assertThat(take(0, 2)).isEqualTo(Placement.of(medium, 6, 7));
        assertThat(take(0, 3)).isEqualTo(Placement.of(medium, 0, 1, 2));
    }

    @Test
    void on_equal_sockets_it_takes_the_first() {
        assertThat(take(1, 4)).isEqualTo(Placement.of(medium, 8, 9, 10, 11));
    }

    @Test
    void when_no_socket_fits_it_empties_the_emptiest_and_puts_the_rest_tightly() {
        cluster.allocate(0, Demand.ofGpus(1), Placement.of(medium, 0, 1));

        assertThat(take(0, 5)).isEqualTo(Placement.of(medium, 2, 4, 5, 6, 7));
    }

    @Test
    void a_gang_grows_server_by_server_and_touches_nothing() {
        builder.take(3, 8);
        builder.take(1, 2);

        assertThat(builder.count()).isEqualTo(10);
        assertThat(builder.available(3)).isZero();
        assertThat(builder.available(1)).as("a server can be taken from once").isZero();
        assertThat(cluster.free()).isEqualTo(medium.gpus());
        assertThat(builder.build().gpuCount()).isEqualTo(10);
        assertThat(builder.count()).isZero();
        assertThat(builder.available(3)).isEqualTo(8);
    }

    @Test
    void it_takes_no_more_than_there_is() {
        cluster.allocate(0, Demand.ofGpus(1), Placement.of(medium, 0));

        assertThatThrownBy(() -> builder.take(0, 8)).hasMessageContaining("(7) are available");
        assertThatThrownBy(() -> builder.take(0, 0)).isInstanceOf(IllegalArgumentException.class);
        builder.take(0, 1);
        assertThatThrownBy(() -> builder.take(0, 1)).hasMessageContaining("(0) are available");
    }

    /** Racks of two servers of four GPUs; the first server has one GPU left. */
    @Test
    void a_demand_in_segments_has_room_for_whole_ones_and_nowhere_else_before_one_is_complete() {
        Topology racks = Objects.requireNonNull(Topologies.parse("2x2x4"));
        Cluster used = new Cluster(racks);
        used.allocate(0, Demand.ofGpus(3), Placement.of(racks, 0, 1, 2));
        PlacementBuilder segments = new PlacementBuilder(racks, used);
        segments.begin(Demand.ofGpus(6).inSegments(3));

        assertThat(available(segments)).containsExactly(1, 3, 4, 4);
        segments.take(1, 2);
        assertThat(available(segments)).containsExactly(1, 0, 0, 0);
        segments.take(0, 1);
        assertThat(available(segments)).containsExactly(0, 0, 4, 4);
        segments.take(2, 1);
        assertThat(available(segments)).containsExactly(0, 0, 0, 2);
        segments.take(3, 2);
        assertThat(segments.build()).isEqualTo(Placement.of(racks, 3, 4, 5, 8, 12, 13));
        assertThat(available(segments)).containsExactly(1, 3, 4, 4);
        segments.begin(Demand.ofGpus(12).inSegments(6));
        assertThat(available(segments)).as("five are too few").containsExactly(0, 0, 4, 4);
    }

    private static List<Integer> available(PlacementBuilder of) {
        return IntStream.range(0, 4).map(of::available).boxed().toList();
    }

    @Test
    void a_job_without_gpus_takes_a_place_on_one_server() {
        builder.begin(new Demand(0, 0, 0, Demand.WHOLE, 1_000, 0, true, List.of()));
        assertThat(builder.available(2)).isOne();
        builder.take(2, 1);
        assertThat(builder.available(2)).isZero();
        assertThat(builder.count()).isZero();

        Placement there = builder.build();
        assertThat(there.server(0)).isEqualTo(2);
        assertThat(there.gpuCount()).isZero();
        assertThat(builder.available(2)).isOne();
        builder.take(2, 1);
        builder.begin(Demand.ofGpus(2));
        assertThat(builder.available(2)).isEqualTo(8);
    }

    @Test
    void it_takes_a_set_of_gpus_that_is_free_once_from_a_server() {
        cluster.allocate(0, Demand.ofGpus(1), Placement.of(medium, 9));
        builder.take(1, 3, 0b10000101);
        assertThat(builder.takenOn(1)).isEqualTo(0b10000101);
        assertThat(builder.takenOn(0)).isZero();
        assertThat(builder.available(1)).isZero();
        assertThatThrownBy(() -> builder.take(1, 1, 0b1000)).hasMessageContaining("as set (1000)");
        assertThatThrownBy(() -> builder.take(0, 2, 0b1000)).hasMessageContaining("as set (1000)");
        builder.take(0, 2, 0);

        assertThat(builder.build()).isEqualTo(Placement.of(medium, 0, 1, 8, 10, 15));
        assertThatThrownBy(() -> builder.take(1, 1, 0b10)).hasMessageContaining("GPU (9) is not free");
        builder.begin(Demand.ofGpus(1).withGpuMilli(500));
        assertThatThrownBy(() -> builder.take(0, 1, 0b1)).hasMessageContaining("as set (1)");
    }

    @Test
    void a_placement_is_on_one_gpu_or_on_so_many_of_each_server() {
        Demand three = Demand.ofGpus(3);

        assertThat(builder.build(three, 17, 0, i -> 0, i -> 0, i -> 0)).isEqualTo(Placement.of(medium, 17));
        assertThat(builder.build(three, SimView.NONE, 2, i -> 2 * i, i -> i + 1, i -> i == 0 ? 0b100 : 0))
                .isEqualTo(Placement.of(medium, 2, 16, 17));
        assertThat(builder.count()).isZero();
        assertThat(builder.available(0)).isEqualTo(8);
    }

    /** Of GPUs 0 to 3 three are held by parts of 600, 700 and 600. */
    @Test
    void several_parts_go_to_the_fullest_gpus_with_enough_left_each_to_another() {
        Topology parts = Topology.uniform(
                "parts", Fabric.DEFAULT, 1, 1, ServerSpec.ofV100(4).with(GpuSharing.FRACTIONS), 1);
        Cluster shared = new Cluster(parts);
        Demand part = Demand.ofGpus(1).withGpuMilli(600);
        shared.allocate(0, part, Placement.of(parts, 0));
        shared.allocate(1, part.withGpuMilli(700), Placement.of(parts, 1));
        shared.allocate(2, part, Placement.of(parts, 2));
        PlacementBuilder builderOfParts = new PlacementBuilder(parts, shared);
        builderOfParts.begin(Demand.ofGpus(2).withGpuMilli(300));
        assertThat(builderOfParts.available(0)).isEqualTo(4);
        builderOfParts.take(0, 2);

        assertThat(builderOfParts.build()).isEqualTo(Placement.of(parts, 0, 1));
        builderOfParts.begin(Demand.ofGpus(3).withGpuMilli(400));
        assertThat(builderOfParts.available(0)).isEqualTo(3);
        builderOfParts.take(0, 3);
        assertThat(builderOfParts.build()).isEqualTo(Placement.of(parts, 0, 2, 3));
    }
}
