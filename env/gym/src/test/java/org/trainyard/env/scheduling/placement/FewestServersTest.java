package org.trainyard.env.scheduling.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

class FewestServersTest {
    private static final ServerSpec EIGHT = ServerSpec.ofV100(8);
    private static final ServerSpec TWO = new ServerSpec(GpuType.A100, 1, 2, true);
    /** Pods of two racks: two servers of two GPUs each; then one server of eight, and one of two. */
    private static final Topology TOPOLOGY = new Topology.Builder("pods", Fabric.DEFAULT)
            .rack(List.of(TWO, TWO))
            .rack(List.of(TWO, TWO))
            .rack(List.of(EIGHT))
            .rack(List.of(TWO))
            .racksPerPod(2)
            .build();

    /** Three servers with room for four and two with room for one. */
    @ParameterizedTest
    @CsvSource({"1, 1", "4, 1", "5, 2", "8, 2", "9, 3", "12, 3", "13, 4", "14, 5", "15, 2147483647", "0, 0"})
    void servers_with_most_room_come_first(int workers, int servers) {
        assertThat(FewestServers.needed(new int[] {7, 2, 0, 0, 3}, workers)).isEqualTo(servers);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "8, 1", "9, 2", "10, 2", "11, 3", "18, 6", "19, 2147483647"})
    void a_gang_needs_the_fewest_servers_of_the_smallest_part_with_room(int gpus, int servers) {
        FewestServers fewest = new FewestServers(TOPOLOGY);

        assertThat(fewest.of(Demand.ofGpus(gpus))).isEqualTo(servers);
        assertThat(fewest.of(Demand.ofGpus(1))).isEqualTo(1);
        assertThat(fewest.of(Demand.ofGpus(gpus))).isEqualTo(servers);
    }

    /** Four GPUs of this type have room in one rack of two servers, six in a pod. */
    @ParameterizedTest
    @CsvSource({"2, 1", "4, 2", "6, 3", "8, 4", "9, 5", "10, 5", "11, 2147483647"})
    void servers_of_other_types_have_no_room(int gpus, int servers) {
        assertThat(new FewestServers(TOPOLOGY).of(Demand.ofGpus(gpus).onTypes(List.of("A100"))))
                .isEqualTo(servers);
    }

    @Test
    void a_job_without_gpus_needs_one_server() {
        assertThat(new FewestServers(TOPOLOGY).of(new Demand(0, 0, 0, 1000, 1, 0, false, List.of())))
                .isEqualTo(1);
    }
}
