package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

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
