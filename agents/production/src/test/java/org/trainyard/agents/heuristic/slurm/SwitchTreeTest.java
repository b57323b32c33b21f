package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.NOW;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.nodes;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.trace.slurm.SlurmText;

/** The first example of Slurm's guide to topologies, and blocks as topology.conf(5) has them. */
class SwitchTreeTest {
    private static final List<String> BINARY = List.of(
            "SwitchName=s0 Nodes=tux[0-1]",
            "SwitchName=s1 Nodes=tux[2-3]",
            "SwitchName=s2 Nodes=tux[4-5]",
            "SwitchName=s3 Nodes=tux[6-7]",
            "SwitchName=s4 Switches=s[0-1]",
            "SwitchName=s5 Switches=s[2-3]",
            "SwitchName=s6 Switches=s[4-5]");

    private static SlurmCluster cluster(String plugin, List<String> network, String... more) {
        List<String> lines =
                new ArrayList<>(List.of("NodeName=tux[0-7] CPUs=8 Gres=gpu:4", "TopologyPlugin=topology/" + plugin));
        lines.addAll(List.of(more));
        return SlurmCluster.of(
                SlurmConf.parse("slurm.conf", lines), null, new SlurmCluster.Tables(null, null, network));
    }

    private static BitSet chosen(SlurmCluster cluster, String usable, int wanted) {
        return Objects.requireNonNull(new FreeNodes(cluster).chooseOf(set(usable), wanted));
    }

    private static BitSet set(String members) {
        return nodes(members.chars().map(digit -> digit - '0').toArray());
    }

    /**
     * The sixth row is what Slurm 22.05 does, though its guide says otherwise: its second leaf is the tightest that is
     * enough for the rest, even below another switch.
     */
    @ParameterizedTest
    @CsvSource({
        "126, 1, 1",
        "1267, 2, 67",
        "12367, 2, 23",
        "1234567, 2, 23",
        "1234567, 4, 4567",
        "124567, 3, 145",
        "123467, 3, 123",
        "023467, 4, 0234",
        "01234567, 5, 01234",
        "0246, 3, 024",
        "012346, 2, 01",
        "0246, 2, 02",
        "02467, 2, 67"
    })
    void the_lowest_switch_that_suffices_gives_its_fullest_leaf_first(String usable, int wanted, String expected) {
        assertThat(chosen(cluster("tree", BINARY), usable, wanted)).isEqualTo(set(expected));
    }

    @Test
    void lighter_nodes_come_before_near_ones_and_bring_their_leaf_with_them() {
        SlurmCluster cluster = SlurmCluster.of(
                SlurmConf.parse(
                        "slurm.conf",
                        List.of(
                                "NodeName=tux[0-2] Weight=9",
                                "NodeName=tux3 Weight=1",
                                "NodeName=tux[4-7] Weight=9",
                                "TopologyPlugin=topology/tree")),
                null,
                new SlurmCluster.Tables(null, null, BINARY));

        assertThat(chosen(cluster, "01234567", 1)).isEqualTo(nodes(3));
        assertThat(chosen(cluster, "01234567", 2)).isEqualTo(nodes(2, 3));
        assertThat(chosen(cluster, "0134567", 2)).isEqualTo(nodes(0, 3));
    }

    @Test
    void a_job_stays_in_the_tightest_block_and_then_in_a_group_of_blocks() {
        SlurmCluster cluster = cluster(
                "block",
                List.of(
                        "BlockName=b1 Nodes=tux[0-1]",
                        "BlockName=b2 Nodes=tux[2-3]",
                        "BlockName=b3 Nodes=tux[4-5]",
                        "BlockName=b4 Nodes=tux[6-7]",
                        "BlockSizes=2,4"));

        assertThat(chosen(cluster, "0123567", 1)).isEqualTo(nodes(5));
        assertThat(chosen(cluster, "123567", 2)).isEqualTo(nodes(2, 3));
        assertThat(chosen(cluster, "134567", 4)).isEqualTo(nodes(4, 5, 6, 7));
    }

    /**
     * The example of topology.yaml(5), with the nodes of the others; Slurm reads it in place of both files of before.
     */
    @Test
    void a_topology_yaml_is_read_in_place_of_topology_conf() {
        String yaml = """
                ---
                - topology: narrow
                  cluster_default: %s
                  block:
                    block_sizes: [2, 4]
                    blocks:
                      - block: b1
                        nodes: tux[0-1]
                      - block: b2
                        nodes: tux[2-3]
                      - {block: b3, nodes: "tux[4-5]"}
                      - {block: b4, nodes: "tux[6-7]"}
                - topology: wide   # by switches
                  cluster_default: true
                  tree:
                    switches:
                      - {switch: top, children: "s[0-1]"}
                      - {switch: s0, nodes: "tux[0,2,4,6]"}
                      - {switch: s1, nodes: "tux[1,3,5,7]", speed: 9}
                - topology: none
                  flat: true
                """;
        SlurmCluster blocks = cluster("none", yaml.formatted("true").lines().toList());
        assertThat(chosen(blocks, "123567", 2)).isEqualTo(nodes(2, 3));
        assertThat(chosen(blocks, "134567", 4)).isEqualTo(nodes(4, 5, 6, 7));
        assertThat(blocks.notes()).anyMatch(note -> note.contains("wide has no effect"));

        SlurmCluster tree = cluster("block", yaml.formatted("false").lines().toList());
        assertThat(chosen(tree, "02356", 3)).isEqualTo(nodes(0, 2, 6));
        assertThat(tree.notes()).anyMatch(note -> note.contains("switches[2], speed: has no effect"));

        SlurmCluster flat = cluster("tree", List.of("- topology: flat", "  flat: true"));
        assertThat(flat.notes())
                .containsExactly("topology.yaml: none has cluster_default: true; flat, the first, is taken");
        assertThat(chosen(flat, "12367", 2)).isEqualTo(chosen(cluster("none", List.of()), "12367", 2));
        assertThatThrownBy(() -> cluster("tree", List.of("- topology: a", "  tree: {switches: [{nodes: tux1}]}")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("topology.yaml")
                .hasMessageContaining("switches[0], switch");
    }

    @Test
    void without_topology_conf_the_racks_of_a_simulated_cluster_are_its_switches() {
        SlurmCluster cluster = SlurmCluster.on(
                List.of(
                        new SlurmCluster.Node("a", 4, 8),
                        new SlurmCluster.Node("b", 4, 8),
                        new SlurmCluster.Node("c", 4, 8),
                        new SlurmCluster.Node("d", 4, 8)),
                List.of(nodes(0, 2), nodes(1, 3)),
                SlurmConf.parse("slurm.conf", List.of("TopologyPlugin=topology/tree")),
                new SlurmCluster.Tables(null, null, null));

        assertThat(chosen(cluster, "123", 2)).isEqualTo(nodes(1, 3));
    }

    @Test
    void a_node_or_switch_that_nobody_knows_and_a_switch_below_itself_are_refused() {
        assertThatThrownBy(() -> cluster("tree", List.of("SwitchName=s Nodes=tux9")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("topology.conf, s, Nodes");
        assertThatThrownBy(() -> cluster("tree", List.of("SwitchName=s Switches=t")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("topology.conf, s, Switches");
        assertThatThrownBy(() -> cluster("tree", List.of("SwitchName=s Switches=t", "SwitchName=t Switches=s")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("below itself");
        assertThat(cluster("3d_torus", List.of()).notes()).anyMatch(note -> note.contains("3d_torus"));
    }

    @Test
    void a_job_short_of_licences_waits_without_a_plan_and_those_behind_it_pass() {
        SlurmState state = new SlurmState(cluster("none", List.of(), "Licenses=fluent:30,ansys"));
        SlurmJob first = submit(state, 1, "fluent:20");
        SlurmJob second = submit(state, 2, "fluent:20");
        SlurmJob third = submit(state, 3, "fluent:10,ansys");
        SlurmJob fourth = submit(state, 4, "ansys;unknown:7");
        SlurmCases.Notes notes = new SlurmCases.Notes();
        MainCycle main = new MainCycle(state, notes);

        main.run(NOW, true);
        new BackfillCycle(state, notes, main).run(NOW);

        assertThat(notes.lines()).containsExactly("start 1 on {0}", "start 3 on {0}");
        state.end(first);
        state.end(third);
        main.run(NOW + 1, true);
        assertThat(second.state()).isEqualTo(SlurmJob.State.RUNNING);
        assertThat(fourth.state()).isEqualTo(SlurmJob.State.RUNNING);
    }

    private static SlurmJob submit(SlurmState state, long id, String licenses) {
        return new Asked(state, id)
                .licenses(SlurmText.licenses("job", licenses))
                .at(NOW - 1000 + id);
    }

    @Test
    void no_job_spans_switches_without_a_common_one_unless_topology_is_optional() {
        List<String> forest = BINARY.subList(0, 6);
        SlurmCluster cluster = cluster("tree", forest);

        assertThat(chosen(cluster, "01234567", 4)).isEqualTo(set("0123"));
        assertThat(chosen(cluster, "0124567", 4)).isEqualTo(set("4567"));
        assertThat(chosen(cluster, "01267", 2)).isEqualTo(set("01"));
        assertThat(chosen(cluster, "0123456", 3)).isEqualTo(set("456"));
        assertThat(chosen(cluster, "012456", 3)).isEqualTo(set("012"));
        assertThat(chosen(cluster, "0245", 2)).isEqualTo(set("45"));
        assertThat(new FreeNodes(cluster).chooseOf(set("012345"), 5)).isNull();
        assertThat(chosen(cluster("tree", forest, "TopologyParam=TopoOptional"), "012345", 5))
                .isEqualTo(set("01234"));
        assertThat(cluster("tree", forest, "TopologyParam=RouteTree,TopoOptional")
                        .notes())
                .containsExactly("TopologyParam=RouteTree: has no effect here");
    }
}
