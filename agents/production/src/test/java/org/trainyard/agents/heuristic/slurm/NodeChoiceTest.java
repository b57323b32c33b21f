package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeChoiceTest {
    @Test
    void takes_the_shortest_run_that_is_long_enough_else_the_longest_whole() {
        SplittableRandom random = new SplittableRandom(5);
        for (int round = 0; round < 3_000; round++) {
            int nodes = 1 + random.nextInt(90);
            BitSet usable = new BitSet();
            double share = random.nextDouble();
            for (int node = 0; node < nodes; node++) {
                usable.set(node, random.nextDouble() < share);
            }
            int needed = 1 + random.nextInt(nodes);

            BitSet chosen = NodeChoice.choose(usable, needed);

            if (usable.cardinality() < needed) {
                assertThat(chosen).isNull();
            } else {
                assertThat(chosen).as("%d of %s", needed, usable).isEqualTo(oneRunAfterAnother(usable, needed));
            }
        }
    }

    @Test
    void takes_all_usable_nodes_of_less_weight_first() {
        BitSet usable = BitSet.valueOf(new long[] {0b1101_1011});
        BitSet light = BitSet.valueOf(new long[] {0b1111_0000});
        BitSet heavy = BitSet.valueOf(new long[] {0b0000_1111});

        assertThat(NodeChoice.choose(usable, 1, List.of(light, heavy))).hasToString("{4}");
        assertThat(NodeChoice.choose(usable, 2, List.of(light, heavy))).hasToString("{6, 7}");
        assertThat(NodeChoice.choose(usable, 4, List.of(light, heavy))).hasToString("{3, 4, 6, 7}");
        assertThat(NodeChoice.choose(usable, 7, List.of(light, heavy))).isNull();
    }

    @Test
    void of_nodes_with_equally_few_free_cpus_the_first_is_chosen() {
        BitSet usable = SlurmCases.nodes(0, 1, 2);

        assertThat(NodeChoice.choose(usable, 1, List.of(usable), new int[] {4, 4, 4}))
                .hasToString("{0}");
        assertThat(NodeChoice.choose(usable, 1, List.of(usable), new int[] {8, 4, 4}))
                .hasToString("{1}");
    }

    /**
     * Free CPUs of neighbouring nodes, dots for those that are not usable. Of runs that are long enough the one with
     * the fewest free CPUs is taken, else the one with the most, and whole; where one node is missing, the one with the
     * fewest in its run.
     */
    @ParameterizedTest
    @CsvSource({
        "44.222.8, 1, 3",
        "44.222.8, 2, '3, 4'",
        "44.222.8, 3, '3, 4, 5'",
        "44.222.8, 4, '0, 1, 3, 4'",
        "44.222.8, 5, '0, 1, 3, 4, 5'",
        "44.222.8, 6, '0, 1, 3, 4, 5, 7'",
        "9.222, 1, 2",
        "2.333, 3, '2, 3, 4'",
        "333.2, 3, '0, 1, 2'",
        "333.2, 4, '0, 1, 2, 4'",
        "22.9, 2, '0, 1'",
        "9.22, 2, '2, 3'",
        "9.22, 3, '0, 2, 3'",
        "22.9, 3, '0, 1, 3'",
        "33.33, 2, '0, 1'",
        "33.33, 1, 0",
        "33.33.1, 3, '0, 1, 6'",
        "5123, 1, 1",
        "5123, 2, '0, 1'",
        "3113, 1, 1"
    })
    void jobs_without_gpus_fill_the_run_with_the_fewest_free_cpus(String cpus, int wanted, String chosen) {
        int[] free = cpus.chars().map(digit -> digit == '.' ? 0 : digit - '0').toArray();
        BitSet usable = new BitSet();
        for (int node = 0; node < free.length; node++) {
            usable.set(node, free[node] > 0);
        }

        assertThat(NodeChoice.choose(usable, wanted, List.of(usable), free)).hasToString("{" + chosen + "}");
    }

    /** Nodes 2 and 3 weigh less than 0 and 1, which have fewer free CPUs. */
    @ParameterizedTest
    @CsvSource({"1, 2", "2, '2, 3'", "3, '0, 2, 3'", "4, '0, 1, 2, 3'"})
    void jobs_without_gpus_take_lighter_nodes_first(int wanted, String chosen) {
        BitSet usable = SlurmCases.nodes(0, 1, 2, 3);
        List<BitSet> byWeight = List.of(SlurmCases.nodes(2, 3), SlurmCases.nodes(0, 1));

        assertThat(NodeChoice.choose(usable, wanted, byWeight, new int[] {1, 1, 4, 4}))
                .hasToString("{" + chosen + "}");
    }

    /** The rule as its sentence says it: look at all runs for each run that is taken. */
    private static BitSet oneRunAfterAnother(BitSet usable, int nodes) {
        BitSet left = (BitSet) usable.clone();
        BitSet chosen = new BitSet();
        int needed = nodes;
        while (needed > 0) {
            int bestFrom = -1;
            int best = 0;
            for (int from = left.nextSetBit(0); from >= 0; from = left.nextSetBit(left.nextClearBit(from))) {
                int length = left.nextClearBit(from) - from;
                boolean isBetter = best >= needed ? length >= needed && length < best : length > best;
                if (isBetter) {
                    bestFrom = from;
                    best = length;
                }
            }
            chosen.set(bestFrom, bestFrom + Math.min(best, needed));
            left.clear(bestFrom, bestFrom + best);
            needed -= best;
        }
        return chosen;
    }
}
