package org.trainyard.env.graphtraining;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Hit ratios of caches of features, simulated on a {@link CitationGraph}: each list has those of a cache of 5, 10, 15,
 * 20, 25 and 30 % of all features.
 *
 * <p>Source of BGL's: the released program of T. Liu et al., NSDI 2023. A miss takes the place of the feature that came
 * first, and mini-batches follow {@link CitationGraph#proximityOrder}. Our deviations: (1) one cache, where each GPU
 * has the nodes of one remainder; (2) five sequences, of which the program takes any number; (3) searches follow
 * references.
 *
 * @param batchShare share of all nodes in a mini-batch, on the mean
 * @param degree of the nodes most cited
 * @param presampled of those that an epoch before needed most often, as GNNLab's
 * @param shuffled BGL's cache under shuffled mini-batches
 * @param bgl BGL's cache under its order
 */
public record CacheHits(
        double batchShare, List<Double> degree, List<Double> presampled, List<Double> shuffled, List<Double> bgl) {
    /** Shares of all features that the caches hold. */
    static final List<Double> HELD = List.of(0.05, 0.10, 0.15, 0.20, 0.25, 0.30);

    private static final int SEQUENCES = 5;
    /** Nodes, a 200th of papers100M: mini-batches have a 200th of its 1,000 nodes, too. */
    private static final int NODES = 555_300;

    private static final int BATCH = 5;

    public CacheHits {
        degree = List.copyOf(degree);
        presampled = List.copyOf(presampled);
        shuffled = List.copyOf(shuffled);
        bgl = List.copyOf(bgl);
    }

    /** Simulates the caches on a 200th of papers100M; takes a few seconds. */
    public static CacheHits simulate(long seed) {
        CitationGraph graph = new CitationGraph(NODES, seed);
        List<int[]> before = graph.batches(graph.shuffledOrder("before"), BATCH, "before");
        List<int[]> after = graph.batches(graph.shuffledOrder("after"), BATCH, "after");
        List<int[]> ordered = graph.batches(graph.proximityOrder(SEQUENCES), BATCH, "ordered");
        int epoch = after.size();
        int[] visits = new int[NODES];
        before.forEach(batch -> Arrays.stream(batch).forEach(node -> visits[node]++));
        return new CacheHits(
                after.stream().mapToInt(batch -> batch.length).average().orElseThrow() / NODES,
                each(held -> fixed(graph.citations(), held, after)),
                each(held -> fixed(visits, held, after)),
                each(held -> firstOut(NODES, held, before, after)),
                each(held -> firstOut(NODES, held, ordered.subList(0, epoch), ordered.subList(epoch, 2 * epoch))));
    }

    private static List<Double> each(ToDoubleFunction<Double> hits) {
        return HELD.stream().map(hits::applyAsDouble).toList();
    }

    /** Hits of a cache that keeps the nodes of the highest scores, the first of equal ones. */
    static double fixed(int[] scores, double held, List<int[]> batches) {
        boolean[] isHeld = new boolean[scores.length];
        IntStream.range(0, scores.length)
                .boxed()
                .sorted((a, b) -> Integer.compare(scores[b], scores[a]))
                .limit((long) (held * scores.length))
                .forEach(node -> isHeld[node] = true);
        long hits = 0;
        long needed = 0;
        for (int[] batch : batches) {
            needed += batch.length;
            hits += Arrays.stream(batch).filter(node -> isHeld[node]).count();
        }
        return (double) hits / needed;
    }

    /** Hits of a cache, filled by batches before, whose oldest feature makes place for one that a batch lacks. */
    static double firstOut(int nodes, double held, List<int[]> before, List<int[]> batches) {
        int[] places = new int[(int) (held * nodes)];
        Arrays.fill(places, -1);
        boolean[] isHeld = new boolean[nodes];
        long hits = 0;
        long needed = 0;
        int next = 0;
        for (int i = 0; i < before.size() + batches.size(); i++) {
            boolean isFilled = i >= before.size();
            int[] batch = isFilled ? batches.get(i - before.size()) : before.get(i);
            int[] missing = Arrays.stream(batch).filter(node -> !isHeld[node]).toArray();
            needed += isFilled ? batch.length : 0;
            hits += isFilled ? batch.length - missing.length : 0;
            for (int node : missing) {
                if (places[next] >= 0) {
                    isHeld[places[next]] = false;
                }
                places[next] = node;
                isHeld[node] = true;
                next = (next + 1) % places.length;
            }
        }
        return (double) hits / needed;
    }
}
