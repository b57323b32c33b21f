package org.trainyard.env.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;

/** Trees, leaf-spine fabrics, fat-trees and graphs: their parts, routes and bottlenecks, counted by hand. */
class FabricsTest {
    private static Topology parse(String text) {
        return Objects.requireNonNull(Topologies.parse(text));
    }

    private static double rackRatio(Topology topology) {
        return topology.links().oversubscription(topology.links().rackLink(0));
    }

    private static double podRatio(Topology topology) {
        return topology.links().oversubscription(topology.links().podLink(0));
    }

    private static int[] used(Topology topology, int... servers) {
        int[] gpus = new int[servers.length];
        for (int i = 0; i < servers.length; i++) {
            gpus[i] = topology.firstGpu(servers[i]);
        }
        int[] into = new int[topology.links().count()];
        int count = topology.links().usedBy(Placement.of(topology, gpus), into);
        return java.util.Arrays.copyOf(into, count);
    }

    @Test
    void presets_are_oversubscribed_by_at_most_two_to_one_at_every_tier() {
        // 4 NICs of 12.5 GB/s over 3 uplinks of 10; 16 NICs over 10 uplinks, 4 such racks over 25 links of 8.
        assertThat(rackRatio(Topologies.small())).isCloseTo(50 / 30.0, within(1e-12));
        assertThat(rackRatio(Topologies.large())).isEqualTo(2);
        assertThat(podRatio(Topologies.large())).isEqualTo(2);
        assertThat(rackRatio(Topology.uniform("one", Fabric.DEFAULT, 2, 4, ServerSpec.ofV100(4), 2)))
                .isEqualTo(5);
    }

    @Test
    void a_ring_gets_one_link_and_all_rings_the_bundle() {
        Topology large = Topologies.large();
        Links links = large.links();

        assertThat(links.bytesPerSecond(links.rackLink(3))).isEqualTo(100e9);
        assertThat(links.linkBytesPerSecond(links.rackLink(3))).isEqualTo(10e9);
        assertThat(links.bytesPerSecond(links.podLink(1))).isEqualTo(200e9);
        assertThat(links.linkBytesPerSecond(links.podLink(1))).isEqualTo(8e9);
        assertThat(links.mostFor(Placement.of(large, 0, 8))).isEqualTo(12.5e9);
        assertThat(links.mostFor(Placement.of(large, 0, 16 * 8))).isEqualTo(10e9);
        assertThat(links.mostFor(Placement.of(large, 0, 64 * 8))).isEqualTo(8e9);
        assertThat(links.mostFor(Placement.of(large, 0, 1))).isInfinite();
    }

    @Test
    void a_leaf_spine_fabric_is_one_pod_in_which_leaves_meet_on_their_own_uplinks() {
        Topology clos = parse("leaf-spine:3x2x4x8");

        // 50 GB/s of NICs at 2:1 over 2 spines: 12.5 GB/s, so 2 links of 10 to each.
        assertThat(clos.pods()).isEqualTo(1);
        assertThat(clos.gpus()).isEqualTo(3 * 4 * 8);
        assertThat(clos.wiring().cables()).hasSize(6).allMatch(cable -> cable.count() == 2);
        assertThat(rackRatio(clos)).isEqualTo(1.25);
        assertThat(clos.routes().between(0, 11).tiers())
                .containsExactly(LinkClass.NIC, LinkClass.TOR, LinkClass.TOR, LinkClass.NIC);
        assertThat(used(clos, 0, 3)).containsExactly(0, 3);
        assertThat(used(clos, 0, 3, 4, 9)).containsExactly(0, 3, 4, 9, 12, 13, 14);
    }

    @Test
    void a_leaf_spine_fabric_with_enough_uplinks_has_bottlenecks_at_nics_alone() {
        Topology full = parse("leaf-spine:3x2x4x8@1");

        assertThat(rackRatio(full)).isLessThan(1);
        assertThat(used(full, 0, 4)).containsExactly(0, 4);
    }

    @Test
    void a_fat_tree_has_the_published_parts_and_no_bottleneck_but_nics() {
        Topology tree = parse("fat-tree:4x8");
        SwitchGraph wiring = tree.wiring();

        // Al-Fares, Loukissas, Vahdat 2008, figure 3: k = 4 has 16 hosts, 8 edge, 8 aggregation and 4 core switches.
        assertThat(tree.servers()).isEqualTo(16);
        assertThat(tree.racks()).isEqualTo(8);
        assertThat(tree.pods()).isEqualTo(4);
        assertThat(wiring.count(SwitchGraph.Tier.SPINE)).isEqualTo(8);
        assertThat(wiring.count(SwitchGraph.Tier.CORE)).isEqualTo(4);
        assertThat(wiring.cables()).hasSize(32);
        assertThat(rackRatio(tree)).isEqualTo(1);
        assertThat(podRatio(tree)).isEqualTo(1);
        assertThat(tree.span(0, 3)).isEqualTo(Locality.POD);
        assertThat(used(tree, 0, 1, 2, 15)).containsExactly(0, 1, 2, 15);
        assertThat(tree.routes().between(0, 15).bytesPerSecond()).isEqualTo(12.5e9);
        assertThat(tree.routes().between(0, 15).tiers()).hasSize(6);
    }

    @Test
    void racks_of_nvlink_domains_have_nvlink_between_trays_and_the_nics_between_racks() {
        Topology topology = Objects.requireNonNull(Topologies.parse("nvl72:3"));
        assertThat(topology.servers()).isEqualTo(54);
        assertThat(topology.gpus()).isEqualTo(216);
        assertThat(topology.fewestRacks(72)).isEqualTo(1);
        assertThat(topology.fewestRacks(73)).isEqualTo(2);
        assertThat(topology.server(0).gpuType()).isEqualTo(GpuType.B200);
        assertThat(topology.routes().between(0, 17).bytesPerSecond())
                .as("two trays of a rack")
                .isEqualTo(topology.inside().bytesPerSecond(0, 0b1111))
                .isEqualTo(900e9);
        assertThat(topology.routes().between(17, 18).bytesPerSecond())
                .as("two racks")
                .isEqualTo(200e9);
        assertThat(Topologies.parse("nvl72")).isNull();
        assertThatThrownBy(() -> Topologies.parse("nvl72:0")).hasMessageContaining("has no server");
    }

    @Test
    void routes_over_a_wiring_that_is_not_uniform_are_searched() {
        // Racks a and b share spine x, b and c share y; y is far.
        Link near = Link.of(10, 6);
        Link far = Link.of(5, 20);
        SwitchGraph.Builder wiring = new SwitchGraph.Builder();
        for (String leaf : List.of("a", "b", "c")) {
            wiring.add(SwitchGraph.Tier.LEAF, leaf);
        }
        wiring.add(SwitchGraph.Tier.SPINE, "x");
        wiring.add(SwitchGraph.Tier.SPINE, "y");
        wiring.join(0, 3, near, 1).join(1, 3, near, 1).join(1, 4, far, 3).join(2, 4, far, 1);
        Topology topology = new Topology.Builder("chain", Fabric.DEFAULT)
                .rack(List.of(ServerSpec.ofV100(4)))
                .rack(List.of(ServerSpec.ofV100(4), ServerSpec.ofV100(4)), List.of(near, far), 1)
                .rack(List.of(ServerSpec.ofV100(4)))
                .wiring(wiring.build())
                .serverNames(List.of("p", "q", "r", "s"))
                .build();

        assertThat(topology.routes().between(0, 1).latencyNanos()).isEqualTo(5_000 + 6_000 + 6_000 + 6_000);
        assertThat(topology.routes().between(0, 3).latencyNanos()).isEqualTo(5_000 + 12_000 + 40_000 + 5_000);
        assertThat(topology.routes().between(0, 3).bytesPerSecond()).isEqualTo(5e9);
        assertThat(topology.routes().between(1, 2).tiers()).containsExactly(LinkClass.NIC, LinkClass.NIC);
        assertThat(topology.routes().between(1, 2).bytesPerSecond()).isEqualTo(5e9);
        assertThat(topology.links().bytesPerSecond(topology.links().rackLink(1)))
                .isEqualTo(10e9 + 15e9);
        assertThat(topology.serverName(2)).isEqualTo("r");
        assertThat(Topologies.small().serverName(2)).isEqualTo("server 2");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void routes_by_span_are_those_a_search_finds(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/routes");
        for (String name : List.of("large", "leaf-spine:5x3x4x8", "fat-tree:6x8")) {
            Topology uniform = parse(name);
            Topology.Builder builder = new Topology.Builder("odd", uniform.fabric()).wiring(uniform.wiring());
            for (int rack = 0; rack < uniform.racks(); rack++) {
                int servers = uniform.serversIn(rack);
                // One NIC of another kind makes every route a search.
                Link nic = rack == 0 ? Link.of(1, 1) : uniform.fabric().nic();
                builder.rack(Collections.nCopies(servers, uniform.server(0)), Collections.nCopies(servers, nic), 1);
            }
            Topology odd = builder.build();
            int first = uniform.serversIn(0);
            int a = random.nextInt(first, uniform.servers() - 1);
            int b = random.nextInt(a + 1, uniform.servers());

            assertThat(odd.routes().between(a, b)).isEqualTo(uniform.routes().between(a, b));
        }
    }

    @Test
    void impossible_sizes_are_refused() {
        assertThatThrownBy(() -> Topologies.parse("fat-tree:3x8")).hasMessageContaining("k (3)");
        assertThatThrownBy(() -> Topologies.parse("fat-tree:100x8")).hasMessageContaining("250000 servers");
        assertThatThrownBy(() -> Topologies.parse("9999x99999x8")).hasMessageContaining("at most 100000");
        assertThatThrownBy(() -> Topologies.parse("leaf-spine:2x0x4x8")).hasMessageContaining("spines (0)");
        assertThatThrownBy(() -> Topologies.parse("leaf-spine:0x2x4x8")).hasMessageContaining("no server");
        assertThatThrownBy(() -> Topologies.parse("leaf-spine:2x2x4x8@0")).hasMessageContaining("(0.0)");
        assertThat(Topologies.parse("leaf-spine:2x2x4")).isNull();
    }
}
