package org.trainyard.env.graphtraining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;

class PartKeptTest {
    private static final CitationGraph SMALL = new CitationGraph(20_000, 7);

    /** Three of the six nodes beside the first of each mini-batch are on its store. */
    @Test
    void a_sampled_node_is_kept_where_the_trained_one_is() {
        int[] storeOf = {0, 0, 1, 1, 0};

        assertThat(PartKept.kept(storeOf, List.of(new int[] {0, 1, 2, 4}, new int[] {3, 0, 1, 2})))
                .isEqualTo(3.0 / 6);
    }

    /**
     * Two rings of four that know nothing of each other: of all even divisions only that into the rings cuts nothing.
     */
    @Test
    void rings_with_a_root_each_are_divided_as_the_best_of_all_even_divisions() {
        int[] begin = {0, 1, 2, 3, 4, 5, 6, 7, 8};
        int[] references = {1, 2, 3, 0, 5, 6, 7, 4};
        int fewest = IntStream.range(0, 256)
                .filter(division -> Integer.bitCount(division) == 4)
                .map(division -> cut(
                        references,
                        IntStream.range(0, 8).map(node -> division >> node & 1).toArray()))
                .min()
                .orElseThrow();

        for (int one = 0; one < 4; one++) {
            for (int other = 4; other < 8; other++) {
                int[] storeOf = PartKept.divide(begin, references, new boolean[8], new int[] {one, other}, 2);

                assertThat(cut(references, storeOf)).isEqualTo(fewest);
                assertThat(Arrays.stream(storeOf).sum()).isEqualTo(4);
            }
        }
    }

    /**
     * A chain of six with roots 0 and 1: blocks {0}, {1, 2, 3}, which is full, {4} and {5}. The longest goes to store
     * 0, {0} to store 1; store 0 has no room for {4}, and {5} goes where {4} is.
     */
    @Test
    void a_chain_is_divided_as_by_hand() {
        int[] storeOf = PartKept.divide(
                new int[] {0, 1, 2, 3, 4, 5, 5}, new int[] {1, 2, 3, 4, 5}, new boolean[6], new int[] {0, 1}, 2);

        assertThat(storeOf).containsExactly(1, 0, 0, 0, 1, 1);
    }

    /** Where every node is a block, all references are counted anew for each node and store. */
    @Test
    void stores_of_single_nodes_are_those_of_the_rule_by_brute_force() {
        for (long seed = 1; seed <= 50; seed++) {
            RandomGenerator random = RandomStreams.stream(seed, "small");
            int nodes = 12 + random.nextInt(20);
            int[] begin = IntStream.rangeClosed(0, nodes).map(node -> 3 * node).toArray();
            int[] references = random.ints(3 * nodes, 0, nodes).toArray();
            boolean[] isTrained = new boolean[nodes];
            for (int node = 0; node < nodes; node += 3) {
                isTrained[node] = true;
            }
            int[] roots = IntStream.range(0, nodes).toArray();

            assertThat(PartKept.divide(begin, references, isTrained, roots, 3))
                    .containsExactly(bruteForce(references, isTrained, 3));
        }
    }

    /** Each node in turn; it has three references. */
    private static int[] bruteForce(int[] references, boolean[] isTrained, int stores) {
        int nodes = isTrained.length;
        long allTrained =
                IntStream.range(0, nodes).filter(node -> isTrained[node]).count();
        int[] storeOf = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            int now = node;
            double[] score = new double[stores];
            long[] held = new long[stores];
            for (int at = 0; at < stores; at++) {
                int store = at;
                List<Integer> on = IntStream.range(0, now)
                        .filter(other -> storeOf[other] == store)
                        .boxed()
                        .toList();
                long trained = on.stream().filter(other -> isTrained[other]).count();
                held[store] = on.size();
                score[store] = IntStream.range(0, references.length)
                                .filter(i -> (i / 3 == now && on.contains(references[i]))
                                        || (references[i] == now && on.contains(i / 3)))
                                .count()
                        * Math.max(0, 1 - (double) on.size() * stores / nodes)
                        * Math.max(0, 1 - (double) trained * stores / allTrained);
            }
            storeOf[now] = now < stores
                    ? now
                    : IntStream.range(0, stores)
                            .boxed()
                            .max(Comparator.<Integer>comparingDouble(store -> score[store])
                                    .thenComparing(store -> -held[store])
                                    .thenComparing(store -> -store))
                            .orElseThrow();
        }
        return storeOf;
    }

    private static int cut(int[] references, int[] storeOf) {
        int cut = 0;
        for (int node = 0; node < references.length; node++) {
            cut += storeOf[node] != storeOf[references[node]] ? 1 : 0;
        }
        return cut;
    }

    @Test
    void every_node_has_a_store_and_none_has_many_more_than_an_even_part() {
        int[] storeOf = SMALL.divided(
                RandomStreams.stream(1, "parts").ints(200, 0, 20_000).toArray(), 4);
        int[] nodes = new int[4];
        for (int store : storeOf) {
            nodes[store]++;
        }

        assertThat(storeOf).hasSize(20_000);
        assertThat(Arrays.stream(nodes).max().orElseThrow()).isLessThan(2 * 5_000);
    }

    /** One of four stores has a quarter of what is drawn. */
    @Test
    void bgl_keeps_more_than_drawn_stores() {
        PartKept kept = PartKept.simulate(1);

        assertThat(kept.drawn()).isCloseTo(0.25, within(0.01));
        assertThat(kept.bgl()).isGreaterThan(kept.drawn() + 0.2);
        assertThat(kept.mostTrained()).isBetween(1.0, 1.5);
    }
}
