package org.trainyard.agents.heuristic.slurm.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.ServerSpec;
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
        assertThat(files.grown(2, Integer.MAX_VALUE).cluster().nodes()).hasSize(6);
        assertThat(files.grown(2, Integer.MAX_VALUE)
                        .cluster()
                        .partition("p")
                        .nodes()
                        .cardinality())
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

    /** A type as some line writes it is of those nodes alone; another of all nodes with GPUs of that name. */
    @ParameterizedTest
    @CsvSource({
        "a100, {1}",
        "nvidia_a100-sxm4-80gb, {0}",
        "nvidia_a100-pcie-40gb, '{0, 1}'",
        "'a100,h100', '{1, 2}'",
        "v100, {}"
    })
    void a_type_of_gpu_is_of_the_nodes_that_write_it_so(String types, String nodes) {
        SlurmConf conf = SlurmConf.parse(
                "slurm.conf",
                List.of(
                        "NodeName=a Gres=gpu:nvidia_a100-sxm4-80gb:4",
                        "NodeName=b Gres=gpu:a100:4",
                        "NodeName=c Gres=gpu:h100:2",
                        "NodeName=d"));

        SlurmCluster cluster = SlurmCluster.of(conf, null, null, null);

        assertThat(cluster.nodesWith(Set.of(types.split(",", -1)))).hasToString(nodes);
        assertThat(lines("NodeName=a Gres=gpu:4").cluster().nodesWith(Set.of("a100")))
                .isNull();
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

    private static SlurmCluster ofSeveral(String line, String... clusters) {
        List<String> table = new ArrayList<>(List.of("Cluster|Account|User|Share"));
        for (int i = 0; i < clusters.length; i++) {
            table.add(clusters[i] + "|root||1");
            table.add("%s|lab||%d".formatted(clusters[i], 3 * (i + 1)));
        }
        return SlurmCluster.of(SlurmConf.parse("slurm.conf", List.of("NodeName=a", line)), null, null, table);
    }

    private static long sharesOfLab(SlurmCluster cluster) {
        return Objects.requireNonNull(cluster.association("lab", "ann").parent())
                .shares();
    }

    @Test
    void of_several_clusters_the_rows_of_this_one_count() {
        assertThat(sharesOfLab(ofSeveral("ClusterName=east", "east", "west"))).isEqualTo(3);
        assertThat(sharesOfLab(ofSeveral("ClusterName=west", "east", "west"))).isEqualTo(6);
        assertThat(sharesOfLab(ofSeveral("ClusterName=north", "east"))).isEqualTo(3);
        assertThatThrownBy(() -> ofSeveral("ClusterName=north", "east", "west"))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "assoc.txt, Cluster: 'east, west' is not valid: expected rows of north, the ClusterName of slurm.conf");
        assertThatThrownBy(() -> ofSeveral("KillWait=9", "east", "west"))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "assoc.txt, Cluster: 'east, west' is not valid: expected the rows of one cluster, or ClusterName in slurm.conf");
    }

    @Test
    void accounts_below_each_other_in_a_circle_are_refused() {
        assertThatThrownBy(() -> accounts(List.of("Account|ParentName|User", "root||", "a|b|", "b|a|")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("expected a line of this account, below root");
    }

    private static SlurmFiles sharing(String weight, String... table) {
        return new SlurmFiles("slurm.conf", List.of(weight), null, null, List.of(table), null);
    }

    @ParameterizedTest
    @CsvSource({"Share", "Fairshare"})
    void accounts_have_other_shares_and_their_users_the_same(String column) {
        SlurmFiles files =
                sharing("PriorityWeightFairshare=010", "Account|User|" + column, "root||1", "a||3", "a|ann|5");

        assertThat(files.sharing("change", Map.of("a", 9)).associations())
                .containsExactly("Account|User|" + column, "root||1", "a||9", "a|ann|5");
    }

    @Test
    void shares_that_would_change_nothing_are_refused() {
        String[] table = {"Account|User|Share", "root||1", "a||3", "a|ann|5"};

        assertThatThrownBy(() -> sharing("PriorityWeightFairshare=0", table).sharing("change", Map.of("a", 9)))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "change: 'share a' is not valid: expected a slurm.conf with PriorityWeightFairshare above 0, without which shares change nothing");
        assertThatThrownBy(() -> sharing("PriorityWeightFairshare=1", table).sharing("change", Map.of("b", 9)))
                .hasMessage("change: 'share b' is not valid: expected an account of assoc.txt: a, root");
        for (String header : List.of("User|Share", "Account|Share", "Account|User")) {
            assertThatThrownBy(
                            () -> sharing("PriorityWeightFairshare=1", header).sharing("change", Map.of("a", 9)))
                    .hasMessage(
                            "change: 'assoc.txt' is not valid: expected a table with the columns Account, User and Share");
        }
    }

    private static Topology cluster(String shorthand) {
        return Objects.requireNonNull(Topologies.parse(shorthand));
    }

    private static SlurmFiles lines(String... lines) {
        return new SlurmFiles("slurm.conf", List.of(lines), null, null, null, null);
    }

    /** Servers have the cores and memory of their nodes, where they say none themselves. */
    @Test
    void a_topology_takes_the_hosts_of_its_nodes() {
        SlurmFiles files = lines("NodeName=a CPUs=8 RealMemory=1000 Gres=gpu:4", "NodeName=b Gres=gpu:4");
        Topology two = cluster("2x4");
        Topology said = cluster("2x4+16cpu");

        Topology with = files.withHosts(two);

        assertThat(List.of(with.server(0).cpuMilli(), with.server(0).memoryMib()))
                .containsExactly(8000L, 1000L);
        assertThat(List.of(with.server(1).cpuMilli(), with.server(1).memoryMib()))
                .containsExactly(ServerSpec.UNLIMITED, ServerSpec.UNLIMITED);
        assertThat(files.withHosts(said)).isSameAs(said);
        assertThat(lines("ClusterName=c").withHosts(two)).isSameAs(two);
        Topology three = cluster("3x4");
        assertThat(files.withHosts(three)).isSameAs(three);
    }

    /** Nodes with four A100, four H100, four of a type that is not known, and none. */
    @ParameterizedTest
    @CsvSource({
        "1x4:A100+1x4:H100+1x4:A100+1x0, true",
        "1x4:A100+1x4:H100+1x4:H100+1x0, true",
        "1x4:H100+1x4:A100+1x4:A100+1x0, false",
        "1x4:A100+1x4:H100+1x4:A100+1x1, false",
        "3x4+1x0, false",
        "1x4:A100+1x4:H100+1x4:A100, false"
    })
    void a_topology_must_be_of_the_nodes_and_their_types(String shorthand, boolean suits) {
        SlurmFiles files = lines(
                "NodeName=a Gres=gpu:a100:4", "NodeName=b Gres=gpu:h100:4", "NodeName=c Gres=gpu:x9:4", "NodeName=d");

        if (suits) {
            assertThatCode(() -> files.require(cluster(shorthand))).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> files.require(cluster(shorthand)))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith(
                            "slurm.conf: 'cluster " + shorthand + "' is not valid: expected the 4 nodes");
        }
    }

    /** Types that a topology does not name are not compared where the nodes have one at most. */
    @ParameterizedTest
    @CsvSource({"2x4, true", "2x4:A100, true", "2x4:H100, false", "1x4:A100+1x4:H100, false"})
    void nodes_of_one_type_suit_servers_of_no_other(String shorthand, boolean suits) {
        SlurmFiles files = lines("NodeName=a[1-2] Gres=gpu:a100:4");

        if (suits) {
            assertThatCode(() -> files.require(cluster(shorthand))).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> files.require(cluster(shorthand))).isInstanceOf(InputException.class);
        }
        assertThatCode(() -> lines("ClusterName=c").require(cluster(shorthand))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"NodeName=a, true", "' nodename=a CPUs=1', true", "NodeName=, false", "PartitionName=p, false"})
    void a_file_is_a_slurm_conf_where_a_line_names_nodes(String line, boolean isOne, @TempDir Path folder)
            throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "# text\n" + line + "\n");

        assertThat(SlurmFiles.isOne(file)).isEqualTo(isOne);
        Files.write(file, new byte[] {(byte) 0xc3, 0x28, '\n'});
        assertThat(SlurmFiles.isOne(file)).isFalse();
        assertThat(SlurmFiles.isOne(folder.resolve("none"))).isFalse();
    }

    @Test
    void nodes_are_added_behind_the_last_of_a_line() {
        SlurmFiles files = lines(
                "NodeName=DEFAULT CPUs=8",
                "NodeName=a[1-2] Gres=gpu:4",
                "NodeName=b[1-2] Port=7 Gres=gpu:2",
                "PartitionName=p Nodes=a[1-2] State=UP",
                "PartitionName=q Nodes=b[1-2]",
                "PartitionName=r Nodes=ALL");

        assertThat(files.grown(2, 1).conf())
                .containsExactly(
                        "NodeName=DEFAULT CPUs=8",
                        "NodeName=a[1-2] Gres=gpu:4",
                        "NodeName=added[1-2] Gres=gpu:4",
                        "NodeName=b[1-2] Port=7 Gres=gpu:2",
                        "PartitionName=p Nodes=a[1-2],added[1-2] State=UP",
                        "PartitionName=q Nodes=b[1-2]",
                        "PartitionName=r Nodes=ALL");
        assertThat(files.grown(1, Integer.MAX_VALUE).conf())
                .contains("NodeName=added[1-1] Gres=gpu:2", "PartitionName=q Nodes=b[1-2],added[1-1]");
        assertThat(files.grown(1, 3).conf())
                .isEqualTo(files.grown(1, Integer.MAX_VALUE).conf());
        assertThatThrownBy(() -> files.grown(1, 2))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "slurm.conf: 'NodeName=b[1-2] Port=7 Gres=gpu:2' is not valid: expected nodes in the order of the cluster, whose server 3 is the last of its line");
        SlurmFiles none = lines("ClusterName=c");
        assertThat(none.grown(3, Integer.MAX_VALUE)).isSameAs(none);
    }

    /** A file of settings alone says of its partitions what is not applied to jobs whose CPUs are not known. */
    @Test
    void the_most_cpus_of_a_partition_are_said_not_to_hold_for_jobs_without_them() {
        assertThat(lines(
                                "NodeName=a",
                                "PartitionName=p Nodes=ALL MaxCPUsPerNode=6",
                                "PartitionName=q MaxCPUsPerNode=UNLIMITED")
                        .notes())
                .containsExactly(
                        "PartitionName, MaxCPUsPerNode=6: bounds who may start, and is not applied here to jobs whose CPUs a log does not say");
    }

    @Test
    void a_cluster_of_which_nothing_was_used_shares_no_associations_with_the_one_it_is_like(@TempDir Path folder)
            throws IOException {
        Files.writeString(
                folder.resolve("assoc.txt"),
                "Account|ParentName|User|Share|GrpTRES\nroot|||1|\nbio|root||3|gres/gpu=4\n");
        SlurmCluster used = files(folder, "NodeName=a Gres=gpu:4\nPartitionName=p Nodes=a PriorityTier=7\n")
                .cluster();
        used.association("bio", "ann").use(8);
        used.association("bio", "ann").hold(1, 3, 2, 1);

        SlurmCluster fresh = used.unused();

        assertThat(fresh.association("bio", "ann").usage()).isZero();
        assertThat(fresh.root().usage()).isZero();
        assertThat(fresh.association("bio", "ann").allows(4, 1, 1, false)).isTrue();
        assertThat(fresh.association("bio", "ann").allows(5, 1, 1, false)).isFalse();
        assertThat(fresh.nodes()).isEqualTo(used.nodes());
        assertThat(fresh.partitions()).isEqualTo(used.partitions());
        assertThat(fresh.node("a")).isZero();
        fresh.association("bio", "ann").use(5);
        assertThat(used.root().usage()).isEqualTo(8);
        assertThat(used.association("bio", "ann").allows(2, 1, 1, false)).isFalse();
    }
}
