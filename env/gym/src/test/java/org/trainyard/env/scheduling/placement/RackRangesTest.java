package org.trainyard.env.scheduling.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

class RackRangesTest {
    /** Five racks of 1, 2, 1, 2 and 1 servers in pods of two. */
    private static Topology topology() {
        Topology.Builder builder = new Topology.Builder("pods", Fabric.DEFAULT);
        for (int servers : new int[] {1, 2, 1, 2, 1}) {
            builder.rack(Collections.nCopies(servers, ServerSpec.ofV100(4)));
        }
        return builder.racksPerPod(2).build();
    }

    private static List<String> visited(BooleanSupplier isFound) {
        List<String> visited = new ArrayList<>();
        RackRanges.narrowestFirst(
                topology(),
                (first, last, from, to) -> visited.add("%d-%d:%d-%d".formatted(first, last, from, to)),
                isFound);
        return visited;
    }

    @Test
    void racks_come_first_then_pods_then_all() {
        List<String> racks = List.of("0-0:0-1", "1-1:1-3", "2-2:3-4", "3-3:4-6", "4-4:6-7");
        List<String> pods = List.of("0-1:0-3", "2-3:3-6", "4-4:6-7");
        int[] asked = {0};

        assertThat(visited(() -> true)).isEqualTo(racks);
        assertThat(visited(() -> ++asked[0] > 1))
                .hasSize(8)
                .startsWith(racks.toArray(String[]::new))
                .endsWith(pods.toArray(String[]::new));
        assertThat(visited(() -> false)).hasSize(9).endsWith("4-4:6-7", "0-4:0-7");
    }
}
