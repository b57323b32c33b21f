package org.trainyard.env.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlacementTest {
    // 2 racks x 4 servers x 4 GPUs on 2 sockets.
    private final Topology small = Topologies.small();

    @Test
    void it_sorts_its_gpus_and_counts_them_per_server() {
        Placement placement = Placement.of(small, 9, 2, 0, 8, 10);

        assertThat(placement).hasToString("[0, 2, 8, 9, 10]");
        assertThat(placement.serverCount()).isEqualTo(2);
        assertThat(placement.server(1)).isEqualTo(2);
        assertThat(placement.gpusOn(0)).isEqualTo(2);
        assertThat(placement.gpusOn(1)).isEqualTo(3);
        assertThat(placement.indexOf(2)).isEqualTo(1);
        assertThat(placement.indexOf(1)).isNegative();
    }

    @Test
    void it_knows_the_sockets_it_uses() {
        Placement placement = Placement.of(small, 0, 2, 8, 9);

        assertThat(placement.socketsOn(0)).isEqualTo(0b11);
        assertThat(placement.socketsOn(1)).isEqualTo(0b01);
    }

    @Test
    void its_span_is_the_smallest_part_that_holds_it() {
        assertThat(Placement.of(small, 5).span()).isEqualTo(Locality.GPU);
        assertThat(Placement.of(small, 4, 5).span()).isEqualTo(Locality.SOCKET);
        assertThat(Placement.of(small, 5, 6).span()).isEqualTo(Locality.SERVER);
        assertThat(Placement.of(small, 3, 4).span()).isEqualTo(Locality.RACK);
        assertThat(Placement.of(small, 15, 16).span()).isEqualTo(Locality.POD);
        Topology large = Topologies.large();
        assertThat(Placement.of(large, 0, large.gpus() - 1).span()).isEqualTo(Locality.CLUSTER);
    }

    @Test
    void equality_is_by_gpus_in_any_order() {
        assertThat(Placement.of(small, 3, 1))
                .isEqualTo(Placement.of(small, 1, 3))
                .hasSameHashCodeAs(Placement.of(small, 1, 3));
        assertThat(Placement.of(small, 3, 1)).isNotEqualTo(Placement.of(small, 3, 2));
    }

    @Test
    void it_does_not_keep_the_array_it_was_given() {
        int[] gpus = IntStream.range(0, 3).toArray();
        Placement placement = Placement.of(small, gpus);
        gpus[0] = 31;

        assertThat(placement.gpu(0)).isZero();
    }

    @Test
    void it_refuses_what_is_no_set_of_gpus() {
        assertThatThrownBy(() -> Placement.of(small)).hasMessageContaining("at least one GPU");
        assertThatThrownBy(() -> Placement.of(small, 4, 4)).hasMessageContaining("GPU (4) appears twice");
        assertThatThrownBy(() -> Placement.of(small, 0, 32)).hasMessageContaining("not all among the 32");
        assertThatThrownBy(() -> Placement.of(small, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
