package org.trainyard.env.graphtraining;

import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;

/**
 * The share of the nodes that mini-batches sample which a graph store has beside the node that is trained: a
 * {@link CitationGraph} is divided among stores.
 *
 * <p>Source of BGL's: T. Liu et al., NSDI 2023, as remembered. Blocks grow breadth first from drawn nodes to a largest
 * size, all at once; the largest first, each goes to the store where {@code neighbours (1 - nodes / C) (1 - trained /
 * T)} is largest, with an even part of all nodes and of the trained ones as {@code C} and {@code T}. Our deviations:
 * (1) searches follow references, and a node that none reaches joins the block of its first reference that has one; (2)
 * neighbours are counted by references of one hop; (3) a block goes to the store of fewest nodes where this is zero for
 * all; (4) the first block of each store is given, for else none but the first has neighbours.
 *
 * @param drawn of stores that are drawn node by node
 * @param bgl of BGL's
 * @param mostTrained trained nodes of the store that has most, over an even part, under BGL's
 */
public record PartKept(double drawn, double bgl, double mostTrained) {
    private static final int NODES = 555_300;
    private static final int STORES = 4;
    private static final int BLOCKS = 1_000;

    /** Simulates partitions of a 200th of papers100M on four stores; takes a few seconds. */
    public static PartKept simulate(long seed) {
        CitationGraph graph = new CitationGraph(NODES, seed);
        List<int[]> batches = graph.batches(graph.shuffledOrder("parts"), 1, "parts");
        RandomGenerator random = RandomStreams.stream(seed, "parts");
        int[] drawn = random.ints(NODES, 0, STORES).toArray();
        int[] bgl = graph.divided(random.ints(BLOCKS, 0, NODES).toArray(), STORES);
        int[] trained = new int[STORES];
        batches.forEach(batch -> trained[bgl[batch[0]]]++);
        return new PartKept(
                kept(drawn, batches),
                kept(bgl, batches),
                Arrays.stream(trained).max().orElseThrow() * (double) STORES / batches.size());
    }

    /** Share of the nodes of mini-batches, without the first of each, on the store of the first. */
    static double kept(int[] storeOf, List<int[]> batches) {
        long kept = 0;
        long sampled = 0;
        for (int[] batch : batches) {
            int store = storeOf[batch[0]];
            sampled += batch.length - 1;
            kept += Arrays.stream(batch).filter(node -> storeOf[node] == store).count() - 1;
        }
        return (double) kept / sampled;
    }

    /**
     * BGL's store of each node. O(nodes + references + blocks x (log blocks + stores)).
     *
     * @param begin where the references of each node begin
     * @param roots where blocks begin; one drawn twice begins one block
     */
    static int[] divide(int[] begin, int[] references, boolean[] isTrained, int[] roots, int stores) {
        int nodes = isTrained.length;
        int[] blockOf = blocks(begin, references, nodes, roots);
        int count = Arrays.stream(blockOf).max().orElseThrow() + 1;
        int[] size = new int[count];
        int[] trained = new int[count];
        Long2IntOpenHashMap edges = new Long2IntOpenHashMap();
        for (int node = 0; node < nodes; node++) {
            size[blockOf[node]]++;
            trained[blockOf[node]] += isTrained[node] ? 1 : 0;
            for (int i = begin[node]; i < begin[node + 1]; i++) {
                long from = blockOf[node];
                long to = blockOf[references[i]];
                edges.addTo(from * count + to, 1);
                edges.addTo(to * count + from, 1);
            }
        }
        int[][] neighbours = neighbours(edges, count);
        int[] storeOfBlock = new int[count];
        Arrays.fill(storeOfBlock, -1);
        double evenNodes = (double) nodes / stores;
        double evenTrained = Math.max(1, Arrays.stream(trained).sum()) / (double) stores;
        double[] nodesOn = new double[stores];
        double[] trainedOn = new double[stores];
        int placed = 0;
        for (int block : falling(size)) {
            double[] near = new double[stores];
            for (int other : neighbours[block]) {
                if (storeOfBlock[other] >= 0) {
                    near[storeOfBlock[other]] += edges.get((long) block * count + other);
                }
            }
            int best = 0;
            double most = Double.NEGATIVE_INFINITY;
            for (int store = 0; store < stores; store++) {
                double score = near[store]
                        * Math.max(0, 1 - nodesOn[store] / evenNodes)
                        * Math.max(0, 1 - trainedOn[store] / evenTrained);
                if (placed == store || score > most || (score == most && nodesOn[store] < nodesOn[best])) {
                    best = store;
                    most = placed == store ? Double.POSITIVE_INFINITY : score;
                }
            }
            storeOfBlock[block] = best;
            placed++;
            nodesOn[best] += size[block];
            trainedOn[best] += trained[block];
        }
        return Arrays.stream(blockOf).map(block -> storeOfBlock[block]).toArray();
    }

    private static int[] falling(int[] size) {
        int[] order = new int[size.length];
        Arrays.setAll(order, block -> block);
        IntArrays.mergeSort(order, (a, b) -> Integer.compare(size[b], size[a]));
        return order;
    }

    /** The other blocks that each refers to or is referred to by, rising. */
    private static int[][] neighbours(Long2IntOpenHashMap edges, int count) {
        long[] keys = edges.keySet().toLongArray();
        Arrays.sort(keys);
        int[][] neighbours = new int[count][];
        int at = 0;
        for (int block = 0; block < count; block++) {
            int first = at;
            while (at < keys.length && keys[at] / count == block) {
                at++;
            }
            int one = block;
            neighbours[block] = Arrays.stream(keys, first, at)
                    .mapToInt(key -> (int) (key % count))
                    .filter(other -> other != one)
                    .toArray();
        }
        return neighbours;
    }

    /** The block of each node, from zero without gaps. */
    private static int[] blocks(int[] begin, int[] references, int nodes, int[] roots) {
        int[] blockOf = new int[nodes];
        Arrays.fill(blockOf, -1);
        int[] size = new int[roots.length];
        int most = -Math.floorDiv(-nodes, roots.length);
        int[] queue = new int[nodes];
        int end = 0;
        for (int root : roots) {
            if (blockOf[root] < 0) {
                blockOf[root] = end;
                size[end] = 1;
                queue[end++] = root;
            }
        }
        int count = end;
        for (int at = 0; at < end; at++) {
            int block = blockOf[queue[at]];
            for (int i = begin[queue[at]]; i < begin[queue[at] + 1] && size[block] < most; i++) {
                if (blockOf[references[i]] < 0) {
                    blockOf[references[i]] = block;
                    size[block]++;
                    queue[end++] = references[i];
                }
            }
        }
        for (int node = 0; node < nodes; node++) {
            for (int i = begin[node]; i < begin[node + 1] && blockOf[node] < 0; i++) {
                blockOf[node] = blockOf[references[i]];
            }
            blockOf[node] = blockOf[node] < 0 ? count++ : blockOf[node];
        }
        return blockOf;
    }
}
