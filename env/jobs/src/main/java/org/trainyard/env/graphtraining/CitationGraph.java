package org.trainyard.env.graphtraining;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;

/**
 * A generated graph of papers and the papers they cite, with the nodes of its mini-batches. Each paper cites up to 28
 * others, mostly of its own field; how often one is cited follows a power law, and most are never cited. The papers
 * that are trained on are of a few fields.
 *
 * <p>Ours, in place of ogbn-papers100M: its training nodes and references per paper are that graph's, and the five
 * other constants are chosen so that caches hit as often as GNNLab measured; {@link CacheHits} compares.
 */
final class CitationGraph {
    private static final int[] FAN_OUT = {15, 10, 5};
    private static final int FIELDS = 100;
    private static final int TRAINED_FIELDS = 10;
    private static final double SAME_FIELD = 0.97;
    private static final double CITED = 0.4;
    private static final double EXPONENT = 0.6;
    private static final int MOST_REFERENCES = 28;
    private static final double TRAINED = 1_207_179.0 / 111_059_956;

    private final long seed;
    /** By node: where its references begin. */
    private final int[] begin;

    private final int[] references;
    private final int[] trained;

    /** @param nodes at least 100 in each of 100 fields; what is left of the last one is never cited */
    CitationGraph(int nodes, long seed) {
        this.seed = seed;
        RandomGenerator random = RandomStreams.stream(seed, "graph");
        int size = nodes / FIELDS;
        double[] cumulative = new double[(int) (CITED * size)];
        for (int rank = 0; rank < cumulative.length; rank++) {
            cumulative[rank] = (rank == 0 ? 0 : cumulative[rank - 1]) + StrictMath.pow(rank + 1, -EXPONENT);
        }
        begin = new int[nodes + 1];
        for (int node = 0; node < nodes; node++) {
            begin[node + 1] = begin[node] + 1 + random.nextInt(MOST_REFERENCES);
        }
        references = new int[begin[nodes]];
        for (int node = 0; node < nodes; node++) {
            for (int i = begin[node]; i < begin[node + 1]; i++) {
                int field =
                        random.nextDouble() < SAME_FIELD ? Math.min(FIELDS - 1, node / size) : random.nextInt(FIELDS);
                int rank = Arrays.binarySearch(cumulative, random.nextDouble() * cumulative[cumulative.length - 1]);
                references[i] = field * size + (rank < 0 ? -rank - 1 : rank);
            }
        }
        int[] candidates = shuffled(TRAINED_FIELDS * size, random);
        trained = Arrays.copyOf(candidates, (int) (TRAINED * nodes));
    }

    private static int[] shuffled(int count, RandomGenerator random) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int at = random.nextInt(i + 1);
            order[i] = order[at];
            order[at] = i;
        }
        return order;
    }

    int nodes() {
        return begin.length - 1;
    }

    /** How often each node is cited. */
    int[] citations() {
        int[] citations = new int[nodes()];
        for (int node : references) {
            citations[node]++;
        }
        return citations;
    }

    /** The trained nodes of an epoch, shuffled. */
    int[] shuffledOrder(String purpose) {
        return Arrays.stream(shuffled(trained.length, RandomStreams.stream(seed, purpose)))
                .map(i -> trained[i])
                .toArray();
    }

    /**
     * The trained nodes as BGL orders them, as many epochs as sequences: those of some breadth-first searches from
     * drawn nodes, one of each in turn, each sequence shifted by an equal part. O(sequences x (nodes + references)).
     */
    int[] proximityOrder(int sequences) {
        RandomGenerator random = RandomStreams.stream(seed, "roots");
        int count = trained.length;
        int[] order = new int[count * sequences];
        for (int sequence = 0; sequence < sequences; sequence++) {
            int[] visited = breadthFirst(random.nextInt(nodes()));
            for (int i = 0; i < count; i++) {
                order[i * sequences + sequence] = visited[(i + sequence * (count / sequences)) % count];
            }
        }
        return order;
    }

    /** BGL's graph store of each node, see {@link PartKept}. */
    int[] divided(int[] roots, int stores) {
        return PartKept.divide(begin, references, isTrained(), roots, stores);
    }

    private boolean[] isTrained() {
        boolean[] isTrained = new boolean[nodes()];
        for (int node : trained) {
            isTrained[node] = true;
        }
        return isTrained;
    }

    /** The trained nodes in the order of a search over references; where it ends, the next node begins another. */
    private int[] breadthFirst(int root) {
        boolean[] isTrained = isTrained();
        boolean[] seen = new boolean[nodes()];
        int[] queue = new int[nodes()];
        int end = 0;
        int at = 0;
        for (int i = 0; i < nodes(); i++) {
            int start = (root + i) % nodes();
            if (!seen[start]) {
                seen[start] = true;
                queue[end++] = start;
            }
            for (; at < end; at++) {
                for (int j = begin[queue[at]]; j < begin[queue[at] + 1]; j++) {
                    if (!seen[references[j]]) {
                        seen[references[j]] = true;
                        queue[end++] = references[j];
                    }
                }
            }
        }
        return Arrays.stream(queue).filter(node -> isTrained[node]).toArray();
    }

    /**
     * The nodes whose features each mini-batch of an order needs, each once: GraphSAGE's, which draws up to 15, 10 and
     * 5 references of every node so far. Nodes of the order that do not fill a mini-batch are left out.
     */
    List<int[]> batches(int[] order, int size, String purpose) {
        RandomGenerator random = RandomStreams.stream(seed, purpose);
        int[] lastBatch = new int[nodes()];
        int[] found = new int[nodes()];
        int[] drawn = new int[MOST_REFERENCES];
        List<int[]> batches = new ArrayList<>();
        for (int first = 0; first + size <= order.length; first += size) {
            int batch = batches.size() + 1;
            int count = 0;
            for (int i = first; i < first + size; i++) {
                count = add(order[i], batch, lastBatch, found, count);
            }
            for (int fanOut : FAN_OUT) {
                int hop = count;
                for (int i = 0; i < hop; i++) {
                    int degree = begin[found[i] + 1] - begin[found[i]];
                    System.arraycopy(references, begin[found[i]], drawn, 0, degree);
                    for (int j = 0; j < Math.min(fanOut, degree); j++) {
                        int other = j + random.nextInt(degree - j);
                        int node = drawn[other];
                        drawn[other] = drawn[j];
                        count = add(node, batch, lastBatch, found, count);
                    }
                }
            }
            batches.add(Arrays.copyOf(found, count));
        }
        return batches;
    }

    private static int add(int node, int batch, int[] lastBatch, int[] found, int count) {
        if (lastBatch[node] == batch) {
            return count;
        }
        lastBatch[node] = batch;
        found[count] = node;
        return count + 1;
    }
}
