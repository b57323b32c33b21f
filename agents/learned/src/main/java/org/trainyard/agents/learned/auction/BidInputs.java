package org.trainyard.agents.learned.auction;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.inside.ServerSets;
import org.trainyard.env.gym.auction.BidServers;
import org.trainyard.gnn.cluster.ClusterTree;

/**
 * The further inputs of the bids of an auction: the mean of the embeddings of a bid's servers, the mean of those of
 * their racks, and the embedding of the core; with a level inside servers also the means of the embeddings of the GPUs
 * that the bid takes on its servers and of those that it leaves free there. Means weigh a server by how often it is
 * listed and a rack by one. A bid without servers has the core alone.
 */
final class BidInputs {
    private final ClusterTree tree;
    private final int hidden;
    private final @Nullable ServerSets sets;
    /** Values of the embedding of a set of GPUs, 0 without a level inside servers. */
    private final int inside;

    private final int size;
    private float[] values;
    private final BidRacks racks;

    /** @param sets null without a level inside servers */
    BidInputs(ClusterTree tree, int hidden, @Nullable ServerSets sets) {
        this.tree = tree;
        this.hidden = hidden;
        this.sets = sets;
        inside = sets == null ? 0 : sets.size();
        size = size(hidden, inside);
        values = new float[64 * size];
        racks = new BidRacks(tree);
    }

    /** No further inputs. */
    static BidInputs none() {
        return new BidInputs(new ClusterTree(new int[1]), 0, null);
    }

    /**
     * Inputs of a bid.
     *
     * @param hidden size of the embedding of a node
     * @param inside of that of a set of GPUs; 0 without a level inside servers
     */
    static int size(int hidden, int inside) {
        return 3 * hidden + 2 * inside;
    }

    /** The inputs of all bids, {@link #size(int, int)} each. */
    float[] values() {
        return values;
    }

    /**
     * Pools the embeddings for some bids.
     *
     * @param servers of many bids
     * @param from the first bid
     * @param at where the embedding of node 0 begins
     * @param stride from the embedding of a node to that of the next
     */
    void pool(BidServers servers, int from, int bids, float[] embeddings, int at, int stride) {
        if (values.length < bids * size) {
            values = new float[2 * bids * size];
        }
        Arrays.fill(values, 0, bids * size, 0);
        int core = at + (tree.nodes() - 1) * stride;
        for (int bid = 0; bid < bids; bid++) {
            int to = bid * size;
            int rackCount = racks.list(servers, from + bid);
            int count = servers.end(from + bid) - servers.first(from + bid);
            for (int i = servers.first(from + bid); i < servers.end(from + bid); i++) {
                add(embeddings, at + servers.server(i) * stride, 1f / count, values, to);
                poolSets(servers, i, 1f / count, to + 3 * hidden);
            }
            for (int i = 0; i < rackCount; i++) {
                add(embeddings, at + racks.node(i) * stride, 1f / rackCount, values, to + hidden);
            }
            add(embeddings, core, 1, values, to + 2 * hidden);
        }
    }

    private void poolSets(BidServers servers, int i, float factor, int to) {
        if (sets != null) {
            float[] taken = sets.of(servers.server(i), servers.taken(i));
            float[] left = sets.of(servers.server(i), servers.left(i));
            for (int j = 0; j < inside; j++) {
                values[to + j] += factor * taken[j];
                values[to + inside + j] += factor * left[j];
            }
        }
    }

    private void add(float[] from, int fromAt, float factor, float[] to, int toAt) {
        for (int j = 0; j < hidden; j++) {
            to[toAt + j] += factor * from[fromAt + j];
        }
    }
}
