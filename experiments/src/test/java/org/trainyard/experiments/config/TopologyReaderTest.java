package org.trainyard.experiments.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

class TopologyReaderTest {
    private static final Path CLUSTERS = Path.of(System.getProperty("trainyard.root"), "experiments", "clusters");

    @Test
    void the_small_preset_written_out_is_the_small_preset() {
        Topology read = TopologyReader.read(CLUSTERS.resolve("small.yaml"));
        Topology preset = Topologies.small();

        assertThat(read).hasToString(preset.toString());
        assertThat(read.fabric()).isEqualTo(preset.fabric());
        assertThat(read.pods()).isEqualTo(preset.pods());
        for (int server = 0; server < preset.servers(); server++) {
            assertThat(read.server(server)).isEqualTo(preset.server(server));
        }
    }

    @Test
    void racks_may_differ() {
        Topology read = TopologyReader.read(CLUSTERS.resolve("two-generations.yaml"));

        assertThat(read.server(0).gpuType()).isEqualTo(GpuType.P100);
        assertThat(read.server(read.servers() - 1).gpuType()).isEqualTo(GpuType.A100);
        assertThat(read.gpus()).isEqualTo(2 * 8 * 4 + 2 * 4 * 8);
        assertThat(read.pods()).isEqualTo(2);
    }

    @Test
    void every_shipped_cluster_has_a_name_that_resolves() {
        assertThat(Clusters.names()).containsExactly("small", "medium", "large", "inference-edge", "two-generations");
        for (String name : Clusters.names()) {
            assertThat(Clusters.resolve(name).name()).isEqualTo(name);
        }
    }
}
