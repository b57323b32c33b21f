package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.NOW;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.nodes;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;
import org.trainyard.env.workload.Segments;

/** Segments on blocks, by sbatch(1) and topology.conf(5) of Slurm 25.11; no recording has them. */
class SegmentChoiceTest {
    /** Blocks of so many nodes each, in order, and the sizes of blocks. */
    private static SlurmState state(int nodes, int ofBlock, String sizes, String... conf) {
        List<String> lines = new ArrayList<>(List.of(conf));
        lines.add("TopologyPlugin=topology/block");
        if (conf.length == 0) {
            lines.add("NodeName=n[0-%d] CPUs=8 Gres=gpu:4".formatted(nodes - 1));
        }
        List<String> network = new ArrayList<>();
        for (int first = 0; first < nodes; first += ofBlock) {
            network.add("BlockName=b%d Nodes=n[%d-%d]".formatted(first, first, first + ofBlock - 1));
        }
        network.add("BlockSizes=" + sizes);
        return new SlurmState(SlurmCluster.of(
                SlurmConf.parse("slurm.conf", lines), null, new SlurmCluster.Tables(null, null, network)));
    }

    private static @Nullable BitSet chosen(SlurmState state, BitSet usable, int nodes, Segments segments) {
        SlurmJob job = new Asked(state, 1).nodes(nodes, 1, 1).segments(segments).at(NOW);
        return state.free.chooseOf(job, usable, state.free.cpus);
    }

    private static BitSet set(String members) {
        return nodes(members.chars().map(digit -> digit - '0').toArray());
    }

    /** Blocks 01, 23, 45 and 67, and two of each as a block of four. */
    @ParameterizedTest
    @CsvSource({
        "01234567, 4, 2, false, 4567",
        "0123567, 4, 2, false, 2367",
        "0123567, 4, 2, true, 0123",
        "012347, 2, 1, false, 47",
        "012347, 2, 1, true, 23",
        "0123467, 6, 2, false, 012367",
        "0123467, 6, 2, true, 012367",
        "12345, 3, 1, false, 145",
        "0123567, 4, 1, true, 0123",
        "01234567, 8, 4, true, 01234567",
        "0134567, 4, 4, true, 4567",
        "0134567, 4, 9, true, 4567",
        "01234567, 2, 2, false, 01"
    })
    void each_segment_is_in_the_tightest_block_and_consolidated_ones_are_all_in_one_higher(
            String usable, int nodes, int segment, boolean consolidated, String expected) {
        SlurmState state = state(8, 2, "2,4");

        assertThat(chosen(state, set(usable), nodes, new Segments(segment, consolidated)))
                .isEqualTo(set(expected));
    }

    @ParameterizedTest
    @CsvSource({"0246, 4, 2, false", "0145, 4, 2, true", "01234567, 5, 2, false", "0123, 8, 2, true"})
    void without_room_in_blocks_nodes_enough_are_none(String usable, int nodes, int segment, boolean consolidated) {
        SlurmState state = state(8, 2, "2,4");

        assertThat(chosen(state, set(usable), nodes, new Segments(segment, consolidated)))
                .isNull();
    }

    @Test
    void a_higher_block_whose_nodes_are_enough_and_whose_blocks_are_not_is_passed_over() {
        SlurmState state = state(
                12,
                3,
                "3,6",
                "NodeName=n[0-5] CPUs=8 Gres=gpu:4 Weight=1",
                "NodeName=n[6-11] CPUs=8 Gres=gpu:4 Weight=9");

        assertThat(chosen(state, nodes(0, 1, 2, 3, 6, 7, 8, 9, 10, 11), 4, new Segments(2, true)))
                .isEqualTo(nodes(6, 7, 9, 10));
        assertThat(chosen(state, nodes(0, 1, 2, 3, 6, 7, 8, 9, 10, 11), 4, new Segments(2, false)))
                .isEqualTo(nodes(0, 1, 9, 10));
    }

    @Test
    void segments_are_found_whenever_there_are_any() {
        SlurmState state = state(12, 3, "3,6");
        Random random = new Random(7);
        int found = 0;
        for (int i = 0; i < 2_000; i++) {
            BitSet usable = new BitSet();
            for (int node = 0; node < 12; node++) {
                usable.set(node, random.nextInt(4) > 0);
            }
            int segment = 1 + random.nextInt(6);
            int nodes = segment * (2 + random.nextInt(3));
            Segments segments = new Segments(segment, random.nextBoolean());
            BitSet chosen = chosen(state, usable, nodes, segments);
            boolean isPossible = false;
            for (long some = 0; some < 1 << 12; some++) {
                isPossible |= isValid(BitSet.valueOf(new long[] {some}), usable, nodes, segments);
            }

            assertThat(chosen != null)
                    .as("%d of %s, %s", nodes, usable, segments)
                    .isEqualTo(isPossible);
            if (chosen != null) {
                assertThat(isValid(chosen, usable, nodes, segments))
                        .as("%s of %s, %s", chosen, usable, segments)
                        .isTrue();
                found++;
            }
        }
        assertThat(found).isGreaterThan(400);
    }

    private static boolean isValid(BitSet some, BitSet usable, int nodes, Segments segments) {
        BitSet others = (BitSet) some.clone();
        others.andNot(usable);
        int block = segments.nodes() <= 3 ? 3 : 6;
        int higher = nodes <= 3 ? 3 : nodes <= 6 ? 6 : 12;
        boolean isWhole = true;
        for (int first = 0; first < 12; first += block) {
            isWhole &= some.get(first, first + block).cardinality() % segments.nodes() == 0;
        }
        return some.cardinality() == nodes
                && others.isEmpty()
                && isWhole
                && (!segments.consolidated() || some.nextSetBit(0) / higher == (some.length() - 1) / higher);
    }

    @Test
    void a_plan_waits_for_a_block_rather_than_for_nodes_enough() {
        SlurmState state = state(8, 2, "2,4");
        start(state, 1, 100, 1);
        start(state, 2, 9_000, 6);
        new Asked(state, 3).nodes(4, 4, 1).segments(new Segments(2, true)).at(NOW);
        SlurmCases.Notes notes = new SlurmCases.Notes();
        MainCycle main = new MainCycle(state, notes);

        main.run(NOW, true);
        new BackfillCycle(state, notes, main).run(NOW);

        assertThat(notes.lines()).containsExactly("plan 3 in 100 on {0, 1, 2, 3}");
    }

    @Test
    void a_plan_waits_for_a_switch_with_nodes_enough() {
        SlurmState state = new SlurmState(SlurmCluster.of(
                SlurmConf.parse(
                        "slurm.conf", List.of("NodeName=n[0-7] CPUs=8 Gres=gpu:4", "TopologyPlugin=topology/tree")),
                null,
                new SlurmCluster.Tables(
                        null, null, List.of("SwitchName=s0 Nodes=n[0-3]", "SwitchName=s1 Nodes=n[4-7]"))));
        start(state, 1, 100, 1);
        start(state, 2, 9_000, 6);
        new Asked(state, 3).nodes(4, 4, 1).at(NOW);
        SlurmCases.Notes notes = new SlurmCases.Notes();
        MainCycle main = new MainCycle(state, notes);

        main.run(NOW, true);
        new BackfillCycle(state, notes, main).run(NOW);

        assertThat(notes.lines()).containsExactly("plan 3 in 100 on {0, 1, 2, 3}");
    }

    private static void start(SlurmState state, long id, long seconds, int node) {
        SlurmJob job = new Asked(state, id).nodes(1, 4, 1).seconds(seconds).at(NOW - 1000 + id);
        state.start(job, job.partition(), nodes(node), NOW);
    }
}
