package org.trainyard.agents.heuristic.slurm.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The switches and blocks of eight nodes: of each the nodes below it, the one above it, and its level. */
class SwitchesTest {
    private static SwitchTree tree(String plugin, String... network) {
        SlurmConf conf = SlurmConf.parse("slurm.conf", List.of("NodeName=n[0-7]", "TopologyPlugin=topology/" + plugin));
        return Objects.requireNonNull(SlurmCluster.of(conf, null, new SlurmCluster.Tables(null, null, List.of(network)))
                .switches());
    }

    private static SwitchTree pairs(String sizes, int blocks) {
        String[] lines = IntStream.rangeClosed(0, blocks)
                .mapToObj(block -> block == blocks
                        ? "BlockSizes=" + sizes
                        : "BlockName=b%d Nodes=n[%d-%d]".formatted(block, 2 * block, 2 * block + 1))
                .toArray(String[]::new);
        return tree("block", sizes.isEmpty() ? Arrays.copyOf(lines, blocks) : lines);
    }

    private static String text(SwitchTree tree) {
        BitSet all = new BitSet();
        all.set(0, 8);
        return String.join(
                " ",
                IntStream.range(0, tree.size())
                        .mapToObj(at -> "%s<%d@%d"
                                .formatted(
                                        tree.below(at, all).toString().replaceAll("[{}, ]", ""),
                                        tree.parent(at),
                                        tree.level(at)))
                        .toList());
    }

    /** So many neighbouring blocks as each size after the first holds are below one; a root joins all. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | 4 | 01<4@0 23<4@0 45<4@0 67<4@0 01234567<4@1",
                "2 | 4 | 01<4@0 23<4@0 45<4@0 67<4@0 01234567<4@1",
                "2,4 | 4 | 01<4@0 23<4@0 45<5@0 67<5@0 0123<6@1 4567<6@1 01234567<6@2",
                "2,6 | 4 | 01<4@0 23<4@0 45<4@0 67<5@0 012345<6@1 67<6@1 01234567<6@2",
                "2,4,8 | 4 | 01<4@0 23<4@0 45<5@0 67<5@0 0123<6@1 4567<6@1 01234567<7@2 01234567<7@3",
                "2,4 | 3 | 01<3@0 23<3@0 45<4@0 0123<6@1 45<6@1 67<6@0 01234567<6@2"
            })
    void blocks_are_joined_by_their_sizes(String sizes, int blocks, String expected) {
        assertThat(text(pairs(sizes, blocks))).isEqualTo(expected);
    }

    /** Of blocks of three and two nodes, those whose size is enough for so many; else all nodes as one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BlockSizes=2 | 2 | [{0, 1, 2}, {3, 4}]",
                "BlockSizes=2 | 3 | [{0, 1, 2, 3, 4}]",
                "BlockSizes=3 | 3 | [{0, 1, 2}, {3, 4}]",
                "'' | 2 | [{0, 1, 2}, {3, 4}]",
                "'' | 3 | [{0, 1, 2, 3, 4}]"
            })
    void a_block_is_to_have_as_many_nodes_as_its_size_says(String sizes, int count, String blocks) {
        List<String> lines = List.of("BlockName=a Nodes=n[0-2]", "BlockName=b Nodes=n[3-4]", sizes);
        SwitchTree tree =
                tree("block", lines.stream().filter(line -> !line.isEmpty()).toArray(String[]::new));

        assertThat(tree.hasBlocks()).isTrue();
        assertThat(tree.blocks(count)).hasToString(blocks);
        assertThat(tree("tree", SWITCHES).hasBlocks()).isFalse();
    }

    private static final String[] SWITCHES = {
        "SwitchName=top Switches=left,right",
        "SwitchName=left Switches=s[0-1]",
        "SwitchName=right Switches=s2",
        "SwitchName=s0 Nodes=n[0-1] LinkSpeed=9",
        "SwitchName=s1 Nodes=n[2-3]",
        "SwitchName=s2 Nodes=n[4-5]"
    };

    /** Nodes that no switch names are a leaf of their own, below none. */
    @Test
    void a_switch_has_the_nodes_of_those_below_it() {
        SwitchTree tree = tree("tree", SWITCHES);

        assertThat(text(tree)).isEqualTo("012345<0@2 0123<0@1 45<0@1 01<1@0 23<1@0 45<2@0 67<6@0");
        assertThat(tree.roots()).containsExactly(0, 6);
        assertThat(IntStream.range(0, 7).filter(tree::isLeaf)).containsExactly(3, 4, 5, 6);
        BitSet some = new BitSet();
        some.set(3, 7);
        assertThat(IntStream.range(0, 7).map(at -> tree.count(at, some))).containsExactly(3, 1, 2, 0, 1, 2, 1);
    }

    /** Links on the way; 14 is more than any of seven switches has. */
    @ParameterizedTest
    @CsvSource({"3, 3, 0", "3, 4, 2", "3, 5, 4", "3, 0, 2", "0, 3, 2", "1, 5, 3", "5, 1, 3", "3, 6, 14", "6, 0, 14"})
    void switches_are_as_far_apart_as_the_links_between_them(int from, int to, int links) {
        assertThat(tree("tree", SWITCHES).distance(from, to)).isEqualTo(links);
    }

    /** The first of several switches above one counts. */
    @Test
    void a_switch_has_one_above_it() {
        assertThat(text(tree(
                        "tree", "SwitchName=a Nodes=n[0-7]", "SwitchName=b Switches=a", "SwitchName=c Switches=a,b")))
                .isEqualTo("01234567<1@0 01234567<2@1 01234567<2@2");
    }

    @Test
    void keys_of_the_network_without_effect_are_named() {
        SlurmConf conf = SlurmConf.parse("slurm.conf", List.of("NodeName=n[0-7]", "TopologyPlugin=topology/tree"));

        SlurmCluster.of(
                conf,
                List.of("Name=gpu NodeName=n1 Colour=red"),
                new SlurmCluster.Tables(null, null, List.of("SwitchName=s Nodes=n[0-7] Colour=red")));

        assertThat(conf.notes())
                .containsExactly(
                        "gres.conf, Colour=red: no key that is known here, has no effect",
                        "topology.conf, Colour=red: no key that is known here, has no effect");
        SlurmConf without = SlurmConf.parse("slurm.conf", List.of("NodeName=n[0-7]", "TopologyPlugin=topology/tree"));
        assertThat(SlurmCluster.of(without, null, null, null).notes())
                .containsExactly("TopologyPlugin=tree: has no effect without a topology.conf");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "preempt/partition_prio | REQUEUE | PreemptType=preempt/partition_prio with PreemptMode=REQUEUE: jobs are not preempted here",
                "preempt/qos | OFF | PreemptType=preempt/qos with PreemptMode=OFF: jobs are not preempted here",
                "preempt/none | SUSPEND | PreemptMode=SUSPEND: jobs are not suspended here",
                "preempt/qos | GANG,REQUEUE | PreemptMode=GANG,REQUEUE: jobs are not suspended here",
                "preempt/qos | REQUEUE |"
            })
    void modes_of_preemption_that_are_not_simulated_are_named(String type, String mode, String note) {
        SlurmConf conf =
                SlurmConf.parse("slurm.conf", List.of("NodeName=a", "PreemptType=" + type, "PreemptMode=" + mode));

        assertThat(SlurmCluster.of(conf, null, null, null).notes()).isEqualTo(note == null ? List.of() : List.of(note));
    }
}
