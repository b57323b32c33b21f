package org.trainyard.agents.learned.auction;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.inside.InsideLevel;
import org.trainyard.agents.learned.inside.ServerSets;
import org.trainyard.agents.learned.inside.SetSlopes;
import org.trainyard.env.gym.auction.BidServers;
import org.trainyard.gnn.cluster.ClusterGradient;
import org.trainyard.gnn.cluster.ClusterTree;

/**
 * The gradient of the objective by the weights of the encoder over a part of a minibatch: {@link ClusterGradient} makes the
 * embeddings of nodes, {@link PooledBids} the inputs of bids from them, {@link BidGradient} the slopes by these, and from
 * there all goes back.
 */
final class EncoderGradient {
    /** Nodes of a chunk, which is what arrays hold at once: few enough for the caches, many for equal rows to meet. */
    private static final int CHUNK_NODES = 16_384;

    private static final int LEVELS = 3;

    private final BidEncoder trained;
    private final ClusterGradient clusters;
    private final PooledBids pooled;
    private final @Nullable SetSlopes ofSets;
    /** By level and row of all, the last chunk that had it, and its number there. */
    private final int[][] seen = new int[LEVELS][0];

    private final int[][] numbers = new int[LEVELS][0];
    private int chunks;
    /** By level and number in the present chunk, the row. */
    private final int[][] rows = new int[LEVELS][64];

    private final int[] counts = new int[LEVELS];
    private int[] rowOf = {};

    /** Of an encoder whose weights may change between two parts. */
    EncoderGradient(BidEncoder trained) {
        this.trained = trained;
        clusters = new ClusterGradient(trained.settings(), trained.weights());
        InsideLevel inside = trained.inside();
        ofSets = inside == null || !inside.learns()
                ? null
                : new SetSlopes(inside.settings().size());
        pooled = new PooledBids(
                clusters, trained.settings().hidden(), trained.settings().inside(), ofSets);
    }

    /** Computes the gradient of some auctions, and adds that by the bid network's weights to {@code bids}. */
    void compute(AuctionBatch batch, int from, int to, BidGradient bids) {
        Arrays.fill(clusters.gradient(), 0);
        if (ofSets != null) {
            ofSets.clear();
        }
        if (from == to) {
            return;
        }
        ClusterTree tree = batch.record(from).nodes.tree();
        ServerSets sets = trained.sets(batch.record(from).nodes.links());
        rowOf = rowOf.length == tree.nodes() ? rowOf : new int[tree.nodes()];
        pooled.begin(tree, sets);
        int most = Math.max(1, CHUNK_NODES / tree.nodes());
        for (int first = from; first < to; first += most) {
            int end = Math.min(to, first + most);
            stage(batch, first, end, tree, sets);
            clusters.forward();
            bids.addAll(batch, first, end, pooled);
            clusters.backward();
            addSlopes(batch.rows(), sets);
        }
    }

    /** Adds the data centres of a chunk, each row once, and asks for the servers of all legal bids. */
    private void stage(AuctionBatch batch, int from, int to, ClusterTree tree, @Nullable ServerSets sets) {
        chunks++;
        Arrays.fill(counts, 0);
        int all = batch.rows().count();
        for (int level = 0; level < LEVELS && seen[level].length < all; level++) {
            seen[level] = Arrays.copyOf(seen[level], all);
            numbers[level] = Arrays.copyOf(numbers[level], all);
        }
        clusters.begin(tree);
        int core = rowOf.length - 1;
        for (int i = from; i < to; i++) {
            EpisodeRecord record = batch.record(i);
            int auction = batch.auction(i);
            int[] numberOf = batch.rowNumbers(i);
            int[] recorded = record.nodes.rowOf();
            int at = auction * rowOf.length;
            number(0, numberOf, recorded, at, 0, tree.servers());
            number(1, numberOf, recorded, at, tree.servers(), core);
            number(2, numberOf, recorded, at, core, core + 1);
            int first = record.firstBid[auction];
            ask(
                    record.servers,
                    clusters.addCentre(rowOf),
                    first + record.firstLegal[auction],
                    first + record.bids[auction]);
        }
        for (int level = 0; level < LEVELS; level++) {
            clusters.setRows(level, batch.rows().columns(), rows[level], counts[level]);
        }
        for (int row = 0; row < counts[0] && sets != null; row++) {
            int number = rows[0][row];
            clusters.setInside(
                    row, sets.of(batch.rows().server(number), batch.rows().free(number)));
        }
    }

    /** Numbers the rows of nodes of a level within the chunk. */
    private void number(int level, int[] numberOf, int[] recorded, int at, int firstNode, int endNode) {
        int[] seenOf = seen[level];
        int[] numbersOf = numbers[level];
        for (int node = firstNode; node < endNode; node++) {
            int row = numberOf[recorded[at + node]];
            if (seenOf[row] != chunks) {
                seenOf[row] = chunks;
                numbersOf[row] = counts[level]++;
                if (counts[level] > rows[level].length) {
                    rows[level] = Arrays.copyOf(rows[level], 2 * rows[level].length);
                }
                rows[level][numbersOf[row]] = row;
            }
            rowOf[node] = numbersOf[row];
        }
    }

    private void ask(BidServers servers, int centre, int firstBid, int endBid) {
        for (int bid = firstBid; bid < endBid; bid++) {
            for (int i = servers.first(bid); i < servers.end(bid); i++) {
                clusters.ask(centre, servers.server(i));
            }
        }
    }

    /** Adds the slopes by the embeddings of free GPUs. */
    private void addSlopes(DistinctRows all, @Nullable ServerSets sets) {
        float[] slopes = new float[trained.settings().inside()];
        for (int row = 0; row < counts[0] && ofSets != null && sets != null; row++) {
            int number = rows[0][row];
            clusters.slopesInside(row, slopes);
            ofSets.add(sets.links(all.server(number)), all.free(number), 1, slopes, 0);
        }
    }

    /** The derivatives by the embeddings of sets of GPUs; null where that level does not learn. */
    @Nullable SetSlopes ofSets() {
        return ofSets;
    }

    /** Adds the gradient by the encoder's weights, times a factor. */
    void addTo(float[] sum, float factor) {
        for (int w = 0; w < sum.length; w++) {
            sum[w] += factor * clusters.gradient()[w];
        }
    }
}
