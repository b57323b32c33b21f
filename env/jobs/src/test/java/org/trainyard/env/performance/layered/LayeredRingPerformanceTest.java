package org.trainyard.env.performance.layered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.layered.LayeredRingPerformance.Links;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.dally.DallyJobs;

/** Placements on 8 racks of 8 servers of 2 sockets of 4 GPUs, against the golden table of {@link LayeredRingsTest}. */
class LayeredRingPerformanceTest {
    private static final Topology TOPOLOGY = Topology.uniform("8x8x8", Fabric.DEFAULT, 8, 8, ServerSpec.ofV100(8), 8);

    private static double efficiency(String name, int... gpus) {
        ModelProfile model = DallyJobs.models().stream()
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow();
        double ideal = 1 / model.computeSeconds();
        JobSpec job = new JobSpec(0, "j", 0, gpus.length, model, ideal);
        LayeredRingPerformance truth = new LayeredRingPerformance(TOPOLOGY, Links.DALLY, DallyJobs::layers);
        return truth.aloneRate(job, Placement.of(TOPOLOGY, gpus)) / ideal;
    }

    private static int[] range(int from, int to) {
        return IntStream.range(from, to).toArray();
    }

    @Test
    void placements_have_the_efficiencies_of_the_golden_table() {
        int[] oneServer = range(0, 8);
        int[] twoServers = range(0, 16);
        int[] eightServers = IntStream.range(0, 8).map(server -> 8 * server).toArray();
        int[] twoRacks =
                IntStream.concat(IntStream.range(0, 8), IntStream.range(64, 72)).toArray();
        int[] eightRacks = IntStream.range(0, 8).map(rack -> 64 * rack).toArray();
        assertThat(efficiency("BERT-large", oneServer)).isCloseTo(0.42, within(0.005));
        assertThat(efficiency("BERT-large", twoServers)).isCloseTo(0.23, within(0.005));
        assertThat(efficiency("BERT-large", eightServers)).isCloseTo(0.15, within(0.005));
        assertThat(efficiency("MobileNetV3", twoRacks)).isCloseTo(0.012, within(0.0005));
        assertThat(efficiency("MobileNetV3", eightRacks)).isCloseTo(0.0017, within(0.00005));
        assertThat(efficiency("VGG-11", 5)).isEqualTo(1);
    }

    /** Five GPUs as 4 + 1 on two sockets: rings of 4 and of 2. */
    @Test
    void uneven_placements_have_rings_as_long_as_the_longest() {
        double bytes = 244.4e6;
        double nested = 2 * 3 / 4.0 * bytes / 600e9 + 2 / 2.0 * bytes / 600e9 + 8 * 2 * 500e-9;

        assertThat(efficiency("AlexNet", range(0, 5))).isCloseTo(1.207e-3 / (1.207e-3 + nested), within(1e-9));
    }
}
