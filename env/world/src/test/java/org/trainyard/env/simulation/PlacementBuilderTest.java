package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.Placement;
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
}
