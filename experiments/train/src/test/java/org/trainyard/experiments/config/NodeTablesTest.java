package org.trainyard.experiments.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.LinkClass;
import org.trainyard.env.topology.SwitchGraph;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.topology.TopologyReader;

class NodeTablesTest {
    @TempDir
    private Path directory;

    private Topology read(String name, String text) throws IOException {
        return TopologyReader.read(Files.writeString(directory.resolve(name), text));
    }

    private static Map<String, Integer> gpusByType(Topology topology) {
        Map<String, Integer> gpus = new TreeMap<>();
        for (int server = 0; server < topology.servers(); server++) {
            gpus.merge(topology.server(server).gpuType().name(), topology.gpusOn(server), Integer::sum);
        }
        return gpus;
    }

    @Test
    void lingjun_becomes_a_clos_of_racks_in_order_of_first_mention() throws IOException {
        Topology read = read("lingjun.csv", TestTopologies.LINGJUN);
        SwitchGraph wiring = read.wiring();

        assertThat(read).hasToString("lingjun: 56 GPUs on 7 servers in 3 racks");
        assertThat(wiring.name(0)).isEqualTo("ASW S2");
        assertThat(wiring.name(1)).isEqualTo("ASW S1");
        assertThat(read.serverName(0)).isEqualTo("h0");
        assertThat(read.serverName(1)).isEqualTo("h3");
        assertThat(wiring.count(SwitchGraph.Tier.SPINE)).isEqualTo(3);
        assertThat(wiring.count(SwitchGraph.Tier.CORE)).isEqualTo(1);
        assertThat(wiring.cables().stream().filter(cable -> cable.lower() == 1)).hasSize(3);
        assertThat(read.pods()).isEqualTo(1);
        assertThat(read.routes().between(0, 6).tiers())
                .containsExactly(LinkClass.NIC, LinkClass.TOR, LinkClass.TOR, LinkClass.NIC);
    }

    @Test
    void openb_keeps_order_names_and_host_resources() throws IOException {
        Topology read = read("nodes.csv", TestTopologies.OPENB);

        assertThat(read).hasToString("nodes: 16 GPUs on 5 servers in 1 rack");
        assertThat(read.serverName(3)).isEqualTo("node-3");
        assertThat(read.gpusOn(0)).isZero();
        assertThat(read.server(3).gpuType()).isEqualTo(GpuType.T4);
        assertThat(read.server(3).cpuMilli()).isEqualTo(104_000);
        assertThat(read.server(3).memoryMib()).isEqualTo(524_288);
        assertThat(read.server(3).sharing()).isEqualTo(GpuSharing.FRACTIONS);
    }

    @Test
    void a_yaml_around_a_table_says_what_the_table_does_not() throws IOException {
        Files.writeString(directory.resolve("nodes.csv"), TestTopologies.OPENB);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(directory.resolve("hosts.csv.gz")))) {
            out.write(TestTopologies.LINGJUN.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        String fabric = Files.readString(TestTopologies.CLUSTERS.resolve("inference-edge.yaml"))
                .replaceAll("(?s).*\nfabric:", "fabric:")
                .replaceAll("(?s)\nracks:.*", "\n");
        Topology nodes = read(
                "nodes.yaml",
                "type: NodeList\nname: mine\nfile: nodes.csv\nsharing: mig\nservers_per_rack: 2\noversubscription: 4\n"
                        + fabric);
        Topology hosts = read(
                "hosts.yaml",
                "type: Lingjun\nname: hosts\nfile: hosts.csv.gz\noversubscription: 1\n"
                        + "server: {gpus: 4, gpu_type: A100, sockets: 1, nvlink: true, cpu_milli: 96000, memory_mib: null,"
                        + " sharing: whole}\n"
                        + fabric);

        assertThat(nodes).hasToString("mine: 16 GPUs on 5 servers in 3 racks");
        assertThat(nodes.server(4).sharing()).isEqualTo(GpuSharing.MIG);
        assertThat(nodes.fabric().nic().bytesPerSecond()).isEqualTo(3.125e9);
        assertThat(hosts).hasToString("hosts: 28 GPUs on 7 servers in 3 racks");
        assertThat(hosts.server(6).cpuMilli()).isEqualTo(96_000);
        assertThat(hosts.links().oversubscription(hosts.links().rackLink(1))).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "h3,G6,P10,S2 | h0,G6,P10,S2 | t.csv:5, ip: 'h0' is not valid: expected every machine once; line 2 names it already",
                "h3,G6,P10,S2 | h3,G6,P10 | t.csv:5: 'h3,G6,P10' is not valid: expected the 4 fields ip,DSW,PSW,ASW",
                "h3,G6,P10,S2 | h3,G6,,S2 | t.csv:5, PSW: '' is not valid: expected printable text",
                "h0,G6,P10,S2 | h0,G7,P9,S9 | cannot be reached",
                "ip,DSW | ip,DSX | t.csv:1: 'ip,DSX,PSW,ASW' is not valid: expected the columns ip,DSW,PSW,ASW or sn,cpu",
                "ip,DSW | ip,ip | t.csv:1: 'ip' is not valid: expected every column once"
            })
    void a_bad_lingjun_file_is_refused_with_line_and_field(String good, String bad, String message) {
        String text = TestTopologies.LINGJUN.replace(good, bad);

        assertThatThrownBy(() -> read("t.csv", text))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "node-3 | node-2 | t.csv:5, sn: 'node-2' is not valid",
                "104000 | -1 | t.csv:5, cpu_milli: '-1' is not valid: expected a whole number in 0..",
                "104000 | NaN | t.csv:5, cpu_milli: 'NaN'",
                "524288 | 1e99 | t.csv:5, memory_mib: '1e99'",
                "524288,2 | 524288,65 | t.csv:5, gpu: '65' is not valid: expected a whole number in 0..64",
                "P100 | P10O | t.csv:4, model: 'P10O' is not valid: expected a known name (did you mean 'P100'?), one of P100, A10, A100",
                "2,T4 | 2, | t.csv:5, model: '' is not valid"
            })
    void a_bad_node_list_is_refused_with_line_and_field(String good, String bad, String message) {
        String text = TestTopologies.OPENB.replace(good, bad);

        assertThatThrownBy(() -> read("t.csv", text))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    @Test
    void tables_without_machines_or_gpus_are_refused() {
        String header = TestTopologies.OPENB.substring(0, TestTopologies.OPENB.indexOf('\n') + 1);

        assertThatThrownBy(() -> read("t.csv", header)).hasMessageContaining("has only a header");
        assertThatThrownBy(() -> read("t.csv", "")).hasMessageContaining("is empty");
        assertThatThrownBy(() -> read("t.csv", header + "a,1,1,0,\n")).hasMessageContaining("no server has a GPU");
        assertThatThrownBy(() -> read("t.csv.gz", "\u001f\u008b no gzip")).isInstanceOf(InputException.class);
    }

    @Test
    void the_real_lingjun_cluster_has_its_published_counts() {
        Topology real = TopologyReader.read(TestTopologies.real("alibaba_misc/lingjun2023_topo.csv.gz"));
        SwitchGraph wiring = real.wiring();

        assertThat(real.servers()).isEqualTo(847);
        assertThat(real.gpus()).isEqualTo(847 * 8);
        assertThat(real.racks()).isEqualTo(48);
        assertThat(wiring.count(SwitchGraph.Tier.SPINE)).isEqualTo(3);
        assertThat(wiring.count(SwitchGraph.Tier.CORE)).isEqualTo(1);
        assertThat(real.pods()).isEqualTo(1);
        for (int rack = 0; rack < real.racks(); rack++) {
            int leaf = rack;
            assertThat(real.serversIn(rack)).isBetween(3, 24);
            assertThat(wiring.cables().stream().filter(cable -> cable.lower() == leaf))
                    .hasSizeBetween(1, 3);
            assertThat(real.links().oversubscription(real.links().rackLink(rack)))
                    .isLessThanOrEqualTo(2);
        }
    }

    @Test
    void the_real_openb_nodes_have_their_published_counts() {
        Topology all = TopologyReader.read(TestTopologies.real("openb_gpu2023/openb_node_list_all_node.csv.gz"));
        Topology gpu = TopologyReader.read(TestTopologies.real("openb_gpu2023/openb_node_list_gpu_node.csv.gz"));

        assertThat(all.servers()).isEqualTo(1523);
        assertThat(all.gpus()).isEqualTo(6212);
        assertThat(gpu.servers()).isEqualTo(1213);
        assertThat(gpusByType(gpu))
                .isEqualTo(Map.of(
                        "G2", 4392, "T4", 842, "G3", 312, "P100", 265, "V100M32", 204, "V100M16", 195, "A10", 2));
        Map<Integer, Integer> nodesByGpus = new TreeMap<>();
        for (int server = 0; server < all.servers(); server++) {
            nodesByGpus.merge(all.gpusOn(server), 1, Integer::sum);
        }
        assertThat(nodesByGpus).isEqualTo(Map.of(8, 617, 4, 54, 2, 518, 1, 24, 0, 310));
        assertThat(all.serverName(1522)).startsWith("openb-node-");
    }
}
