package org.trainyard.experiments.config.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.Links;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.TestTopologies;

class TopologyReaderTest {
    @TempDir
    private Path directory;

    private static Topology shipped(String name) {
        return TopologyReader.read(TestTopologies.CLUSTERS.resolve(name + ".yaml"));
    }

    private static void assertSame(Topology read, Topology preset) {
        assertThat(read.fabric()).isEqualTo(preset.fabric());
        assertThat(read.servers()).isEqualTo(preset.servers());
        assertThat(read.racks()).isEqualTo(preset.racks());
        assertThat(read.pods()).isEqualTo(preset.pods());
        assertThat(read.wiring().cables()).isEqualTo(preset.wiring().cables());
        for (int server = 0; server < preset.servers(); server++) {
            assertThat(read.server(server)).isEqualTo(preset.server(server));
        }
    }

    @Test
    void the_small_preset_written_out_is_the_small_preset() {
        assertThat(shipped("small")).hasToString(Topologies.small().toString());
        assertSame(shipped("small"), Topologies.small());
    }

    @Test
    void shorthands_of_the_shipped_fabrics_are_the_same_fabrics() {
        assertSame(shipped("leaf-spine"), Objects.requireNonNull(Topologies.parse("leaf-spine:8x4x8x8")));
        // The file says one latency for all links, the shorthand that of the NIC.
        assertSame(shipped("fat-tree"), Objects.requireNonNull(Topologies.parse("fat-tree:8x8")));
    }

    @Test
    void what_a_file_leaves_out_is_as_in_a_shorthand() throws IOException {
        Path file = Files.writeString(directory.resolve("mine.yaml"), """
                type: Tree
                racks:
                  - {servers: 16, server: {gpus: 8, gpu_type: A100}}
                  - {servers: 8, server: {gpus: 8, gpu_type: H100}}
                """);

        assertSame(TopologyReader.read(file), Objects.requireNonNull(Topologies.parse("16x8:A100+8x8:H100")));
    }

    @Test
    void all_keys_that_are_missing_are_named_at_once() throws IOException {
        Path file = Files.writeString(directory.resolve("mine.yaml"), """
                type: Tree
                fabric: {nic: {gigabytes_per_second: 12.5}}
                racks:
                  - {server: {gpu_type: A100}}
                """);

        assertThatThrownBy(() -> TopologyReader.read(file))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "%s:1: the keys fabric.nic.latency_micros, racks[0].servers, racks[0].server.gpus are missing: expected all of them",
                        file);
    }

    @Test
    void the_written_out_clusters_list_every_known_type() throws IOException {
        for (String name : new String[] {"small", "shared"}) {
            String text = Files.readString(TestTopologies.CLUSTERS.resolve(name + ".yaml"));
            for (GpuType type : GpuType.known()) {
                assertThat(text).containsPattern("gpu_type: V100.*\\b" + type.name() + "\\b");
            }
        }
    }

    @Test
    void racks_may_differ() {
        Topology read = shipped("two-generations");

        assertThat(read.server(0).gpuType()).isEqualTo(GpuType.P100);
        assertThat(read.server(read.servers() - 1).gpuType()).isEqualTo(GpuType.A100);
        assertThat(read.gpus()).isEqualTo(2 * 8 * 4 + 2 * 4 * 8);
        assertThat(read.pods()).isEqualTo(2);
    }

    @Test
    void a_graph_is_read_link_by_link() {
        Topology read = shipped("graph");
        Links links = read.links();

        assertThat(read).hasToString("graph: 36 GPUs on 6 servers in 3 racks");
        assertThat(read.serverName(5)).isEqualTo("c2");
        assertThat(read.nic(5).bytesPerSecond()).isEqualTo(6.25e9);
        assertThat(read.server(5).sharing()).isEqualTo(GpuSharing.FRACTIONS);
        assertThat(links.bytesPerSecond(links.rackLink(0))).isEqualTo(20e9);
        assertThat(links.linkBytesPerSecond(links.rackLink(0))).isEqualTo(10e9);
        assertThat(links.oversubscription(links.rackLink(2))).isEqualTo(2.5);
        assertThat(read.routes().between(0, 5).bytesPerSecond()).isEqualTo(5e9);
    }

    @Test
    void leaves_of_a_graph_stand_pod_by_pod() throws IOException {
        String text = Files.readString(TestTopologies.CLUSTERS.resolve("graph.yaml"))
                        .replaceAll("(?m)^.*(leaf-a|leaf-b), to: spine-y.*\n", "")
                        .replace("to: spine-y, gigabytes_per_second: 5", "to: spine-y, gigabytes_per_second: 9")
                        .replace("from: leaf-b, to: spine-x", "from: leaf-b, to: spine-y")
                        .replace("from: leaf-c, to: spine-y", "from: leaf-c, to: spine-x")
                        .replace("id: spine-y, tier: spine}", "id: spine-y, tier: spine}\n  - {id: core, tier: core}")
                + "  - {from: core, to: spine-x, gigabytes_per_second: 8, latency_micros: 8, count: 2}\n"
                + "  - {from: spine-y, to: core, gigabytes_per_second: 8, latency_micros: 8, count: 1}\n";
        Topology read = TopologyReader.read(Files.writeString(directory.resolve("pods.yaml"), text));

        assertThat(read.pods()).isEqualTo(2);
        assertThat(read.wiring().name(1)).isEqualTo("leaf-c");
        assertThat(read.serverName(2)).isEqualTo("c1");
        assertThat(read.links().bytesPerSecond(read.links().podLink(0))).isEqualTo(16e9);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "shape: clos | shape: tree | links[9]: 'leaf-b to spine-y' is not valid: expected no cycle",
                "from: leaf-c, to: spine-y | from: leaf-c, to: spine-z | links[10].to: 'spine-z' is not valid: expected a known name (did you mean 'spine-x'?), one of",
                "from: leaf-c, to: spine-y | from: leaf-c, to: leaf-c | links[10].to: 'leaf-c' is not valid: expected an end other than from",
                "from: leaf-c, to: spine-y | from: leaf-b, to: spine-y | links[10]: 'leaf-b to spine-y' is not valid: expected every pair once",
                "from: leaf-c, to: spine-y | from: leaf-c, to: leaf-a | links[10]: 'leaf leaf-a to leaf leaf-c' is not valid: expected server to leaf",
                "from: leaf-c, to: spine-y | from: c1, to: spine-y | links[10]: 'server c1 to spine spine-y' is not valid",
                "from: leaf-c, to: spine-y | from: c1, to: leaf-b | links[10]: 'c1' is not valid: expected one leaf for every server",
                "from: c2, to: leaf-c | from: leaf-b, to: a1 | links[5]: 'a1' is not valid: expected one leaf",
                "second: 5, | second: 0, | links[10].gigabytes_per_second: '0' is not valid: expected a number above 0",
                "second: 5, | second: -5, | links[10].gigabytes_per_second: '-5' is not valid",
                "second: 5, | second: .nan, | links[10].gigabytes_per_second: '.nan' is not valid: expected a number",
                "second: 5, | second: .inf, | links[10].gigabytes_per_second: '.inf' is not valid: expected a number",
                "id: c2, kind: t4x2 | id: c1, kind: t4x2 | servers[5].id: 'c1' is not valid: expected an id that no switch or server above has",
                "id: leaf-b, tier | id: leaf-a, tier | switches[1].id: 'leaf-a' is not valid: expected an id",
                "id: t4x2 | id: v100x8 | kinds[1].id: 'v100x8' is not valid: expected an id that no kind",
                "id: c2, kind: t4x2 | id: c2, kind: t4x3 | servers[5].kind: 't4x3' is not valid: expected a known name (did you mean 't4x2'?), one of v100x8, t4x2",
                "id: spine-y, tier: spine} | id: spine-y, tier: spine}, {id: leaf-d, tier: leaf} | not valid YAML",
                "tier: spine} | tier: spine7} | switches[3].tier: 'spine7' is not valid: expected a known name (did you mean 'spine'?), one of leaf, spine, core"
            })
    void a_bad_graph_is_refused_in_one_line(String good, String bad, String message) throws IOException {
        String text = Files.readString(TestTopologies.CLUSTERS.resolve("graph.yaml"));
        assertThat(text).contains(good);
        Path file = Files.writeString(directory.resolve("bad.yaml"), text.replace(good, bad));

        assertThatThrownBy(() -> TopologyReader.read(file))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("bad.yaml")
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    @Test
    void a_graph_in_parts_is_refused() throws IOException {
        String text = Files.readString(TestTopologies.CLUSTERS.resolve("graph.yaml"));
        Path apart = Files.writeString(
                directory.resolve("apart.yaml"), text.replaceAll("(?m)^.*from: leaf-c, to: spine-y.*\n", ""));
        Path lost = Files.writeString(
                directory.resolve("lost.yaml"), text.replaceAll("(?m)^.*from: c2, to: leaf-c.*\n", ""));
        Path empty = Files.writeString(
                directory.resolve("empty.yaml"),
                text.replace(
                        "  - {id: leaf-c, tier: leaf}\n",
                        "  - {id: leaf-c, tier: leaf}\n  - {id: leaf-d, tier: leaf}\n"));

        assertThatThrownBy(() -> TopologyReader.read(apart))
                .hasMessageContaining("switch (leaf-c) cannot be reached from switch (leaf-a)");
        assertThatThrownBy(() -> TopologyReader.read(lost))
                .hasMessageContaining("servers[5].id: 'c2' is not valid: expected a server with a link to a leaf");
        assertThatThrownBy(() -> TopologyReader.read(empty)).hasMessageContaining("leaf (leaf-d) has no server");
    }

    @Test
    void a_server_has_the_interior_of_a_name() {
        Topology read = shipped("mixed-interiors");

        assertThat(read.server(0)).isEqualTo(read.server(1));
        assertThat(read.server(0).interior()).isNull();
        assertThat(read.server(2).interior()).isEqualTo(Interiors.named("dgx1v"));
        assertThat(read.server(7).interior()).isEqualTo(Interiors.named("pcie"));
        assertThat(read.inside().of(0).ring(0b111)).isEqualTo(130);
        assertThat(read.inside().of(4).ring(0b11)).isEqualTo(208);
    }

    @Test
    void an_interior_may_be_told_by_its_links() throws IOException {
        String text = Files.readString(TestTopologies.CLUSTERS.resolve("small.yaml"))
                .replace(
                        "nvlink: true ",
                        "nvlink: true\n      " + "interior: {links: [[0, 1, 50], [1, 2, 25], [2, 0, 25]],"
                                + " switches: 2, pcie: [16, 15, 9.5]}");
        ServerInterior interior = TopologyReader.read(Files.writeString(directory.resolve("links.yaml"), text))
                .inside()
                .of(3);

        assertThat(interior.ring(0b11)).isEqualTo(50);
        assertThat(interior.ring(0b111)).isEqualTo(50);
        assertThat(interior.ring(0b1001)).isEqualTo(9.5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "interior: dgx1 | interior: 'dgx1' is not valid: expected a known name (did you mean 'dgx1v'?), one of",
                "interior: dgx1v | interior: 'dgx1v' is not valid: expected one that fits: interior (dgx1v) has 8 GPUs, not (4)",
                "interior: pcie | nvlink: 'true' is not valid: expected false, for so is its interior",
                "interior: {links: [[0, 1]], switches: 2, pcie: [3, 2, 1]} | interior.links: 'a list' is not valid: expected two different GPUs and GB/s",
                "interior: {links: [[0, 1, 5], [1, 0, 5]], switches: 2, pcie: [3, 2, 1]} | links: 'a list' is not valid: expected every pair of GPUs once",
                "interior: {links: [[0, 9, 5]], switches: 2, pcie: [3, 2, 1]} | expected one that fits: link (0-9) must join two of the GPUs 0 to 3",
                "interior: {links: [[0, 1, 5]], switches: 3, pcie: [3, 2, 1]} | expected one that fits: switches (3) must divide the server's GPUs (4)",
                "interior: {links: [[0, 1, 5]], switches: 2, pcie: [3, 2]} | interior.pcie: 'a list' is not valid: expected GB/s within a switch",
                "interior: {links: [[0, 1, 5]], switches: 2} | key 'pcie' is missing"
            })
    void a_bad_interior_is_refused_in_one_line(String bad, String message) throws IOException {
        String text = Files.readString(TestTopologies.CLUSTERS.resolve("small.yaml"))
                .replace("nvlink: true ", "nvlink: true\n      " + bad + " ");
        Path file = Files.writeString(directory.resolve("bad.yaml"), text);

        assertThatThrownBy(() -> TopologyReader.read(file))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("racks[0].server")
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    @Test
    void every_shipped_cluster_has_a_name_that_resolves() {
        assertThat(Clusters.names())
                .containsExactly(
                        "small",
                        "medium",
                        "large",
                        "125x8-25g",
                        "4x2-50g",
                        "dgx1v",
                        "fat-tree",
                        "fragmented",
                        "graph",
                        "inference-edge",
                        "leaf-spine",
                        "limited-hosts",
                        "marl",
                        "mixed-interiors",
                        "oversubscribed",
                        "placed-servers",
                        "shared",
                        "small-generations",
                        "three-generations",
                        "two-generations",
                        "unseen-interiors");
        for (String name : Clusters.names()) {
            assertThat(Clusters.resolve(name).name()).isEqualTo(name);
        }
    }
}
