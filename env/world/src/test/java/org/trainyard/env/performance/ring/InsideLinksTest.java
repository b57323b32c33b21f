package org.trainyard.env.performance.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.IdealPlacement;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;

/** 0.1 s of compute and 1 GB of gradients on a server without NVLink, one with NVLink everywhere, and a DGX-1V. */
class InsideLinksTest {
    private static final Pressure NONE = new Pressure(0, 0, 0);
    private static final ServerSpec PLAIN = new ServerSpec(GpuType.V100, 2, 8, false);
    private final Topology topology = new Topology.Builder("mixed", Fabric.DEFAULT)
            .rack(List.of(
                    PLAIN,
                    PLAIN.with(Interiors.named("dgx1v")),
                    PLAIN.with(Interiors.named("pairs")),
                    PLAIN.with(Interiors.named("pcie3"))))
            .build();
    private final RingPerformance truth = new RingPerformance(topology, InterferenceModel.NONE);

    private static JobSpec job(int gpus) {
        ModelProfile model = new ModelProfile("model", 0.1, 1e9, 1, NONE, NONE);
        return new JobSpec(0, "job", 0, gpus, model, 1);
    }

    private double seconds(int... gpus) {
        return 1 / truth.aloneRate(job(gpus.length), Placement.of(topology, gpus));
    }

    @Test
    void the_gpus_of_a_server_decide_the_bandwidth_of_a_ring() {
        // 2 x 1/2 x 1 GB over two links of NVLink, one, and PCIe between the sockets.
        assertThat(seconds(8, 11)).isCloseTo(0.1 + 1 / 44.0 + 2e-6, within(1e-12));
        assertThat(seconds(8, 9)).isCloseTo(0.1 + 1 / 22.0 + 2e-6, within(1e-12));
        assertThat(seconds(8, 13)).isCloseTo(0.1 + 1 / 10.0 + 4e-6, within(1e-12));
        // Three rings over all eight.
        assertThat(seconds(8, 9, 10, 11, 12, 13, 14, 15)).isCloseTo(0.1 + 1.75 / 132 + 14e-6, within(1e-12));
    }

    @Test
    void a_server_without_an_interior_has_the_links_of_the_fabric() {
        assertThat(seconds(0, 1)).isEqualTo(seconds(0, 7)).isCloseTo(0.1 + 1 / 12.0 + 4e-6, within(1e-12));
    }

    @Test
    void the_way_to_the_network_may_be_the_narrowest() {
        // GPUs of the socket without the NIC reach it at 6 GB/s; two of one socket have 10 between their switches.
        assertThat(seconds(0, 28)).isCloseTo(0.1 + 1 / 6.0 + 20e-6, within(1e-12));
        assertThat(seconds(0, 24, 26)).isCloseTo(0.1 + 4 / 3.0 / 10 + 40e-6, within(1e-12));
        assertThat(seconds(0, 16)).isCloseTo(0.1 + 1 / 12.5 + 20e-6, within(1e-12));
    }

    @Test
    void the_ideal_is_the_widest_ring_of_all_servers() {
        IdealPlacement ideal = new IdealPlacement(topology);

        // The pair with a bridge, the triple of a DGX-1V, and its four with two rings.
        assertThat(1 / ideal.bestRate(job(2), truth)).isEqualTo(seconds(16, 17));
        assertThat(1 / ideal.bestRate(job(3), truth)).isEqualTo(seconds(8, 9, 10));
        assertThat(1 / ideal.bestRate(job(4), truth)).isEqualTo(seconds(8, 9, 10, 11));
    }

    @Test
    void no_set_is_faster_than_the_bound_of_its_size() {
        for (int size = 2; size <= 8; size++) {
            double best = topology.inside().best(size);
            for (int server = 0; server < topology.servers(); server++) {
                for (long mask = 0; mask < 256; mask++) {
                    if (Long.bitCount(mask) == size) {
                        assertThat(topology.inside().of(server).ring(mask)).isLessThanOrEqualTo(best);
                    }
                }
            }
        }
    }
    /**
     * Two pairs across the sockets share the link between these, and one within a socket shares the uplinks with none.
     */
    @Test
    void rings_over_pcie_share_uplinks_and_the_link_between_sockets() {
        PcieSharing sharing = new PcieSharing(topology);
        long across = 0b0010001;
        long within = 0b1010;

        assertThat(sharing.bytesPerSecond(3, across, 0, i -> 0)).isEqualTo(6e9);
        assertThat(sharing.bytesPerSecond(3, across, 1, i -> 0b1000100)).isEqualTo(3e9);
        assertThat(sharing.bytesPerSecond(3, across, 1, i -> within)).isEqualTo(5e9);
        assertThat(sharing.bytesPerSecond(3, within, 2, i -> i == 0 ? across : 0b1))
                .isEqualTo(5e9);
        assertThat(sharing.bytesPerSecond(3, 0b11, 1, i -> 0b1100)).isEqualTo(12e9);
        // A ring of NVLink uses no PCIe.
        assertThat(sharing.bytesPerSecond(1, 0b100001, 1, i -> 0b1001)).isEqualTo(10e9);
        assertThat(sharing.bytesPerSecond(0, 0b11, 1, i -> 0b1100)).isEqualTo(12e9);
    }
}
