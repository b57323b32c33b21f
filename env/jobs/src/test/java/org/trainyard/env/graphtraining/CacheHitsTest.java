package org.trainyard.env.graphtraining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CacheHitsTest {
    private static final CitationGraph SMALL = new CitationGraph(20_000, 7);

    private static CacheHits hits;

    @BeforeAll
    static void simulate() {
        hits = CacheHits.simulate(1);
    }

    @Test
    void the_table_of_bgl_is_what_the_simulation_gives() {
        for (int i = 0; i < CacheHits.HELD.size(); i++) {
            assertThat(HitRatio.BGL.at(CacheHits.HELD.get(i)))
                    .isCloseTo(hits.bgl().get(i), within(5e-5));
        }
    }

    /** The graph stands for papers100M as far as these agree; features of a mini-batch are BGL's, as remembered. */
    @Test
    void caches_on_the_graph_hit_as_often_as_gnnlab_measured_within_five_points() {
        for (int i = 0; i < CacheHits.HELD.size(); i++) {
            assertThat(hits.degree().get(i)).isCloseTo(HitRatio.DEGREE.at(CacheHits.HELD.get(i)), within(0.05));
        }
        assertThat(hits.presampled().get(1)).isCloseTo(0.9829, within(0.05));
        assertThat(hits.batchShare())
                .isCloseTo(
                        GraphDataset.PAPERS100M.batch().featureBytes() / GraphDataset.PAPERS100M.tableBytes(),
                        within(0.0003));
    }

    @Test
    void the_order_of_training_nodes_helps_small_caches_most() {
        assertThat(hits.bgl().get(0) - hits.shuffled().get(0)).isBetween(0.05, 0.08);
        assertThat(hits.bgl().get(1) - hits.shuffled().get(1)).isBetween(0.005, 0.015);
        assertThat(hits.bgl().get(1))
                .isBetween(hits.degree().get(1) + 0.4, hits.presampled().get(1));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.05, 0.3})
    void a_small_cache_hits_what_a_queue_of_nodes_hits(double held) {
        List<int[]> before = SMALL.batches(SMALL.shuffledOrder("a"), 3, "a");
        List<int[]> after = SMALL.batches(SMALL.shuffledOrder("b"), 3, "b");
        Set<Integer> queue = new LinkedHashSet<>();
        double hit = 0;
        double needed = 0;
        for (int[] batch : before) {
            miss(queue, batch, held);
        }
        for (int[] batch : after) {
            needed += batch.length;
            hit += batch.length - miss(queue, batch, held);
        }

        assertThat(CacheHits.firstOut(SMALL.nodes(), held, before, after)).isCloseTo(hit / needed, within(1e-12));
    }

    private static int miss(Set<Integer> queue, int[] batch, double held) {
        List<Integer> missing = Arrays.stream(batch)
                .filter(node -> !queue.contains(node))
                .boxed()
                .toList();
        for (int node : missing) {
            queue.add(node);
            if (queue.size() > (int) (held * SMALL.nodes())) {
                queue.remove(queue.iterator().next());
            }
        }
        return missing.size();
    }

    @Test
    void a_fixed_cache_hits_what_it_holds() {
        List<int[]> batches = List.of(new int[] {0, 1, 2}, new int[] {3, 2}, new int[] {1, 4, 0});

        assertThat(CacheHits.fixed(new int[] {0, 5, 1, 5, 2}, 0.6, batches)).isEqualTo(4.0 / 8);
    }

    @Test
    void a_mini_batch_has_each_node_once_and_no_more_than_the_fan_out_allows() {
        int[] order = SMALL.shuffledOrder("a");
        List<int[]> batches = SMALL.batches(order, 3, "a");

        assertThat(batches).hasSize(order.length / 3);
        for (int i = 0; i < batches.size(); i++) {
            int[] batch = batches.get(i);
            assertThat(batch).startsWith(order[3 * i], order[3 * i + 1], order[3 * i + 2]);
            assertThat(batch.length).isBetween(4, 3 * 16 * 11 * 6);
            assertThat(Arrays.stream(batch).distinct().count()).isEqualTo(batch.length);
        }
    }

    @Test
    void each_sequence_of_the_order_has_all_trained_nodes() {
        int[] order = SMALL.proximityOrder(3);
        List<Integer> trained =
                Arrays.stream(SMALL.shuffledOrder("a")).sorted().boxed().toList();
        for (int sequence = 0; sequence < 3; sequence++) {
            int first = sequence;
            List<Integer> nodes = new ArrayList<>(IntStream.range(0, order.length / 3)
                    .map(i -> order[3 * i + first])
                    .boxed()
                    .toList());
            assertThat(nodes.stream().sorted().collect(Collectors.toList())).isEqualTo(trained);
        }
    }
}
