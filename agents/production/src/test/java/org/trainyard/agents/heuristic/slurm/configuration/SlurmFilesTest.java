package org.trainyard.agents.heuristic.slurm.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

class SlurmFilesTest {
    private static SlurmFiles files(Path folder, String conf) throws IOException {
        Files.writeString(folder.resolve("slurm.conf"), conf);
        return SlurmFiles.read(folder.resolve("slurm.conf").toString());
    }

    @ParameterizedTest
    @CsvSource({
        "include nodes.conf",
        "Include  nodes.conf # more",
        "INCLUDE /etc/slurm/nodes.conf",
        "include sub/n.conf"
    })
    void included_files_are_read_where_they_stand(String include, @TempDir Path folder) throws IOException {
        Files.createDirectories(folder.resolve("sub"));
        String nodes = "NodeName=DEFAULT CPUs=64 Gres=gpu:a100:4(S:0-1)\nNodeName=r[1-2]n[1-2]\n";
        Files.writeString(folder.resolve("nodes.conf"), nodes);
        Files.writeString(folder.resolve("sub").resolve("n.conf"), nodes);

        SlurmFiles files = files(folder, "ClusterName=c\n" + include + "\nPartitionName=p Nodes=r1n1,r2n2\n");

        assertThat(files.cluster().nodes())
                .extracting(SlurmCluster.Node::name)
                .containsExactly("r1n1", "r1n2", "r2n1", "r2n2");
        assertThat(files.cluster().nodes())
                .allMatch(node -> node.gpus() == 4 && node.types().contains("A100"));
        assertThat(files.grown(2).cluster().nodes()).hasSize(6);
        assertThat(files.grown(2).cluster().partition("p").nodes().cardinality())
                .isEqualTo(4);
    }

    @Test
    void a_mistake_is_told_with_its_file_and_line(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("nodes.conf"), "# nodes\nNodeName=a CPUs=many\n");
        Files.writeString(folder.resolve("loop.conf"), "include loop.conf\n");

        assertThatThrownBy(() -> files(folder, "include nodes.conf\n").cluster())
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("nodes.conf:2, CPUs: 'many'");
        assertThatThrownBy(() -> files(folder, "\ninclude gone.conf\n").cluster())
                .isInstanceOf(InputException.class)
                .hasMessageContaining("slurm.conf:2: 'include gone.conf'");
        assertThatThrownBy(() -> files(folder, "include loop.conf\n").cluster())
                .isInstanceOf(InputException.class)
                .hasMessageContaining("does not include itself");
        assertThatThrownBy(() ->
                        files(folder, "NodeName=a\nPartitionName=p Nodes=b\n").cluster())
                .isInstanceOf(InputException.class)
                .hasMessageContaining("slurm.conf:2, Nodes: 'b'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"8x8", "4x8:A100+2x8:H100", "6x8"})
    void another_cluster_is_refused_with_the_shorthand_of_the_one_that_the_file_describes(
            String cluster, @TempDir Path folder) throws IOException {
        SlurmFiles files = files(
                folder,
                "NodeName=a[01-04] Gres=gpu:a100:8\nNodeName=c[1-2] CPUs=8\nNodeName=h1 Gres=gpu:x9:4\nPartitionName=p Nodes=a[01-02]\n");
        Topology topology = Objects.requireNonNull(Topologies.parse(cluster));

        assertThat(files.shorthand()).isEqualTo("4x8:A100+2x0+1x4:X9=SPEED");
        assertThat(files.on(Objects.requireNonNull(Topologies.parse("4x8:A100+2x0+1x4:X9=3")))
                        .node("h1"))
                .isEqualTo(6);
        assertThatThrownBy(() -> files.on(topology))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith(
                        "slurm.conf: 'cluster %s' is not valid: expected the 7 nodes and 36 GPUs of its lines NodeName=, not %d and %d: a01 to a04 with 8 A100 GPUs, c1 to c2 with 0 GPUs, h1 with 4 X9 GPUs; --cluster 4x8:A100+2x0+1x4:X9=SPEED"
                                .formatted(cluster, topology.servers(), topology.gpus()));
    }

    @Test
    void slices_of_gpus_are_said_and_counted() {
        SlurmConf conf = SlurmConf.parse("slurm.conf", List.of("NodeName=a Gres=gpu:a100_3g.20gb:4,gpu:a100:2"));

        SlurmCluster cluster = SlurmCluster.of(conf, null, null, null);

        assertThat(cluster.nodes().get(0).gpus()).isEqualTo(6);
        assertThat(cluster.nodes().get(0).types()).containsExactly("A100 3/7", "A100");
        assertThat(cluster.notes()).hasSize(2).allMatch(note -> note.startsWith("NodeName, Gres=gpu:a100_3g"));
    }

    private static SlurmCluster accounts(List<String> table) {
        return SlurmCluster.of(
                SlurmConf.parse("slurm.conf", List.of("NodeName=a", "AccountingStorageEnforce=limits")),
                null,
                null,
                table);
    }

    @Test
    void the_tree_of_accounts_is_read_from_parents_or_from_spaces_and_asked_for_without_either() {
        List<String> parents = List.of(
                "Account|ParentName|User|GrpTRES",
                "root|||",
                "dept|root||gres/gpu=4",
                "lab|dept||",
                "lab||u|",
                "x|root||");
        List<String> spaces = List.of(
                "Cluster|Account|User|GrpTRES",
                "c|root||",
                "c| dept||gres/gpu=4",
                "c|  lab||",
                "c|   lab|u|",
                "c| x||");
        List<String> neither = List.of("Account|User|GrpTRES", "root||", "dept||gres/gpu=4", "lab||", "lab|u|", "x||");

        for (List<String> table : List.of(parents, spaces)) {
            Association user = accounts(table).association("lab", "u");
            assertThat(user.allows(4, 0, 1, true)).isTrue();
            assertThat(user.allows(5, 0, 1, true)).isFalse();
            assertThat(Objects.requireNonNull(
                                    Objects.requireNonNull(user.parent()).parent())
                            .account())
                    .isEqualTo("dept");
            assertThat(accounts(table).association("x", "u").allows(5, 0, 1, true))
                    .isTrue();
            assertThat(accounts(table).notes()).isEmpty();
        }
        assertThat(accounts(neither).association("lab", "u").allows(5, 0, 1, true))
                .isTrue();
        assertThat(accounts(neither).notes())
                .singleElement()
                .asString()
                .startsWith("assoc.txt: says not which account is above which");
        assertThat(accounts(List.of("Account|User", "root|", "root|u")).notes()).isEmpty();
    }
}
