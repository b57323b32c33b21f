package org.trainyard.env.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyTest {
    @Test
    void indices_are_dense_and_agree() {
        Topology topology = new Topology.Builder("mixed", Fabric.DEFAULT)
                .rack(List.of(ServerSpec.ofV100(8), new ServerSpec(GpuType.T4, 1, 2, false)))
                .rack(List.of(ServerSpec.ofV100(4)))
                .racksPerPod(1)
                .build();

        assertThat(topology.gpus()).isEqualTo(14);
        assertThat(topology.servers()).isEqualTo(3);
        assertThat(topology.racks()).isEqualTo(2);
        assertThat(topology.pods()).isEqualTo(2);
        assertThat(topology.firstGpu(1)).isEqualTo(8);
        assertThat(topology.serverOf(9)).isEqualTo(1);
        assertThat(topology.serverOf(10)).isEqualTo(2);
        assertThat(topology.rackOf(2)).isEqualTo(1);
        assertThat(topology.firstServer(1)).isEqualTo(2);
        assertThat(topology.serversIn(0)).isEqualTo(2);
        assertThat(topology.widestServer()).isEqualTo(8);
    }

    @Test
    void gpus_are_spread_over_sockets_in_order() {
        Topology medium = Topologies.medium();

        assertThat(medium.socketOf(8 + 3)).isZero();
        assertThat(medium.socketOf(8 + 4)).isEqualTo(1);
    }

    @Test
    void the_span_of_two_servers_is_the_smallest_part_that_holds_both() {
        Topology large = Topologies.large();

        assertThat(large.span(3, 3)).isEqualTo(Locality.SERVER);
        assertThat(large.span(0, 15)).isEqualTo(Locality.RACK);
        assertThat(large.span(0, 16)).isEqualTo(Locality.POD);
        assertThat(large.span(0, 64)).isEqualTo(Locality.CLUSTER);
    }

    @Test
    void shorthands_say_servers_and_gpus_or_racks_too() {
        Topology flat = Objects.requireNonNull(Topologies.parse("20x8"));
        Topology racks = Objects.requireNonNull(Topologies.parse("2x4x8"));

        assertThat(flat.racks()).isEqualTo(1);
        assertThat(flat.gpus()).isEqualTo(160);
        assertThat(racks.racks()).isEqualTo(2);
        assertThat(racks.gpus()).isEqualTo(64);
        assertThat(Topologies.parse("huge")).isNull();
        assertThatThrownBy(() -> Topologies.parse("0x8")).hasMessageContaining("no server");
        assertThatThrownBy(() -> Topologies.parse("2x65")).hasMessageContaining("(65)");
    }

    @ParameterizedTest
    @CsvSource({
        "24x8:H100, H100, 4",
        "2x4x8:A100, A100, 2",
        "leaf-spine:2x2x4x8:B200@3, B200, 8",
        "fat-tree:4x4:MI300X, MI300X, 4",
        "3x8:TPUv9=6.5, TPUv9, 6.5"
    })
    void the_gpus_of_a_shorthand_may_be_of_a_type(String text, String type, double speed) {
        Topology topology = Objects.requireNonNull(Topologies.parse(text));

        assertThat(topology.server(0).gpuType().name()).isEqualTo(type);
        assertThat(topology.server(topology.servers() - 1).gpuType().speed()).isEqualTo(speed);
        assertThat(topology.name()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"24x8:H10O", "2x4:A100=3", "2x4:X=0", "2x4:X=-1", "fat-tree:4x4:"})
    void a_type_that_is_none_is_refused(String text) {
        if (text.endsWith(":")) {
            assertThat(Topologies.parse(text)).isNull();
        } else {
            assertThatThrownBy(() -> Topologies.parse(text)).hasMessageContaining("H200");
        }
    }

    @Test
    void every_named_preset_parses() {
        assertThat(Topologies.names())
                .allSatisfy(name -> assertThat(Topologies.parse(name)).isNotNull());
    }

    @Test
    void impossible_parts_are_refused() {
        assertThatThrownBy(() -> new Topology.Builder("none", Fabric.DEFAULT).build())
                .hasMessageContaining("no server");
        assertThatThrownBy(() -> new Topology.Builder("none", Fabric.DEFAULT).rack(List.of()))
                .hasMessageContaining("rack (0)");
        assertThatThrownBy(() -> new ServerSpec(GpuType.V100, 3, 8, true)).hasMessageContaining("sockets (3)");
        assertThatThrownBy(() -> new Link(0, 1)).hasMessageContaining("bandwidth");
    }

    @Test
    void a_plus_joins_racks_of_servers_that_differ() {
        Topology mixed = Objects.requireNonNull(Topologies.parse("16x8:A100+2x4x8:H100"));

        assertThat(mixed.racks()).isEqualTo(3);
        assertThat(mixed.servers()).isEqualTo(24);
        assertThat(mixed.gpus()).isEqualTo(192);
        assertThat(mixed.server(15).gpuType()).isEqualTo(GpuType.A100);
        assertThat(mixed.server(16).gpuType()).isEqualTo(GpuType.H100);
        Topology hosts = Objects.requireNonNull(Topologies.parse("1x8:A100+2x0"));
        assertThat(hosts.servers()).isEqualTo(3);
        assertThat(hosts.gpus()).isEqualTo(8);
        assertThat(hosts.gpusOn(2)).isZero();
        assertThat(Topologies.parse("16x8:A100+small")).isNull();
        assertThatThrownBy(() -> Topologies.parse("16x8+8x8:H101")).hasMessageContaining("GPU type 'H101' is unknown");
    }
}
