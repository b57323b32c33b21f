package org.trainyard.env.scheduling.gang;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/** Asked now and then in states that random play leads to, on racks of two speeds and two sizes. */
class EmptyServersTest {
    private static final ServerSpec SLOW = new ServerSpec(GpuType.V100, 2, 4, false);
    private static final ServerSpec FAST = new ServerSpec(GpuType.A100, 2, 4, true);
    private static final ServerSpec SMALL = new ServerSpec(GpuType.V100, 1, 2, false);
    private static final Topology TOPOLOGY = new Topology.Builder("mixed", Fabric.DEFAULT)
            .rack(List.of(SLOW, SLOW, FAST))
            .rack(List.of(SLOW, FAST, SLOW, FAST))
            .rack(List.of(SMALL, SLOW, SMALL))
            .build();

    private static List<Integer> expected(SimView view, int rack) {
        GpuSpeeds speeds = new GpuSpeeds(TOPOLOGY);
        int first = TOPOLOGY.firstServer(rack);
        return IntStream.range(first, first + TOPOLOGY.serversIn(rack))
                .filter(server -> view.cluster().freeOn(server) == 4)
                .boxed()
                .sorted(Comparator.comparingDouble(server -> -speeds.of(server)))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void the_empty_widest_servers_of_a_rack_are_listed_the_fastest_first(long seed) {
        EmptyServers empty = new EmptyServers(TOPOLOGY);
        int[] calls = new int[2];
        RandomPlay.play(seed, TOPOLOGY, view -> {
            if (calls[0]++ % 3 == 1) {
                return;
            }
            empty.update(view);
            int most = 0;
            for (int rack = 0; rack < TOPOLOGY.racks(); rack++) {
                List<Integer> listed = new ArrayList<>();
                for (int i = 0; i < empty.in(rack); i++) {
                    listed.add(empty.server(rack, i));
                }
                assertThat(listed).isEqualTo(expected(view, rack));
                most = Math.max(most, listed.size());
            }
            assertThat(empty.mostInRack()).isEqualTo(most);
            calls[1] += most > 1 ? 1 : 0;
            for (int server = 0; server < TOPOLOGY.servers(); server++) {
                assertThat(empty.isEmpty(view, server))
                        .isEqualTo(view.cluster().freeOn(server) == TOPOLOGY.gpusOn(server));
            }
        });
        assertThat(calls[1]).isGreaterThan(10);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void servers_are_of_a_kind_with_equal_ones_of_their_rack_and_of_a_hardware_with_equal_ones_of_any(int server) {
        EmptyServers empty = new EmptyServers(TOPOLOGY);

        for (int other = 0; other < TOPOLOGY.servers(); other++) {
            boolean isEqual = TOPOLOGY.server(server).equals(TOPOLOGY.server(other));
            assertThat(empty.hardwareOf(server) == empty.hardwareOf(other)).isEqualTo(isEqual);
            assertThat(empty.kindOf(server) == empty.kindOf(other))
                    .isEqualTo(isEqual && TOPOLOGY.rackOf(server) == TOPOLOGY.rackOf(other));
        }
        assertThat(empty.hardwares()).isEqualTo(3);
        assertThat(empty.kinds()).isEqualTo(6);
        assertThat(empty.kindOf(server)).isBetween(0, 5);
        assertThat(empty.hardwareOf(server)).isBetween(0, 2);
    }
}
