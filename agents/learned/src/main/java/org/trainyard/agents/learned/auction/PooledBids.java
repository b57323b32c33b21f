package org.trainyard.agents.learned.auction;

import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.bids.BidBlock;
import org.trainyard.agents.learned.inside.ServerSets;
import org.trainyard.agents.learned.inside.SetSlopes;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.auction.BidServers;
import org.trainyard.gnn.cluster.ClusterGradient;
import org.trainyard.gnn.cluster.ClusterTree;
import org.trainyard.gnn.cluster.NodeStates;

/**
 * The further inputs that {@link BidInputs} has for the bids of an auction, for the {@link BidBlock}s of many auctions, and
 * the way back: slopes by the inputs of bids become slopes by the states of nodes. O(servers of bids x hidden) each way.
 */
final class PooledBids {
    private final ClusterGradient clusters;
    private final int hidden;
    private final @Nullable SetSlopes ofSets;
    private final PooledStates[] ofServers = states();
    private final PooledStates[] ofRacks = states();
    private final PooledStates[] ofCores = states();
    /** With a level inside servers: which GPUs bids take on their servers, and which they leave free. */
    private final PooledSets[] sets;

    private ClusterTree tree = new ClusterTree(new int[1]);
    /** By rack, the last bid, counted over all calls, that has it; and the racks of the present bid. */
    private long[] rackSeen = {};

    private int[] racks = {};
    private long bidsSeen;

    /**
     * Of states that change with each call of {@link ClusterGradient#forward}.
     *
     * @param inside values of the embedding of a set of GPUs; 0 without a level inside servers
     * @param ofSets takes the slopes by these; null when nobody wants them
     */
    PooledBids(ClusterGradient clusters, int hidden, int inside, @Nullable SetSlopes ofSets) {
        this.clusters = clusters;
        this.hidden = hidden;
        this.ofSets = ofSets;
        sets = Stream.generate(() -> new PooledSets(inside))
                .limit(inside == 0 ? 0 : BidKind.COUNT)
                .toArray(PooledSets[]::new);
    }

    private static PooledStates[] states() {
        return Stream.generate(PooledStates::new).limit(BidKind.COUNT).toArray(PooledStates[]::new);
    }

    /** Begins with bids of data centres of a tree. */
    void begin(ClusterTree ofAll, @Nullable ServerSets itsSets) {
        tree = ofAll;
        if (rackSeen.length != tree.racks()) {
            rackSeen = new long[tree.racks()];
            racks = new int[tree.racks()];
        }
        for (PooledSets ofKind : sets) {
            ofKind.begin(itsSets);
        }
    }

    /** Forgets all bids. */
    void clear() {
        for (int kind = 0; kind < ofServers.length; kind++) {
            ofServers[kind].clear();
            ofRacks[kind].clear();
            ofCores[kind].clear();
        }
        for (PooledSets ofKind : sets) {
            ofKind.clear();
        }
    }

    /** Adds a bid, which has a number among those of its kind, at an auction in a data centre. */
    void add(BidServers servers, int bid, int kind, int number, int centre) {
        int from = servers.first(bid);
        int to = servers.end(bid);
        int rackCount = 0;
        bidsSeen++;
        for (int i = from; i < to; i++) {
            int server = servers.server(i);
            ofServers[kind].add(number, clusters.server(centre, server), 1f / (to - from));
            if (sets.length > 0) {
                sets[kind].add(number, server, servers.taken(i), servers.left(i), 1f / (to - from));
            }
            int rack = tree.rackOf(server);
            if (rackSeen[rack] != bidsSeen) {
                rackSeen[rack] = bidsSeen;
                racks[rackCount++] = rack;
            }
        }
        for (int i = 0; i < rackCount; i++) {
            ofRacks[kind].add(number, clusters.rack(centre, racks[i]), 1f / rackCount);
        }
        ofCores[kind].add(number, clusters.core(centre), 1);
    }

    /** Writes the further inputs of all bids. */
    void pool(BidBlock[] blocks) {
        for (int kind = 0; kind < blocks.length; kind++) {
            float[][] inputs = blocks[kind].further();
            for (float[] ofInput : inputs) {
                Arrays.fill(ofInput, 0, blocks[kind].size(), 0);
            }
            ofServers[kind].pool(clusters.servers().values(), inputs, 0);
            ofRacks[kind].pool(clusters.racks().values(), inputs, hidden);
            ofCores[kind].pool(clusters.cores().values(), inputs, 2 * hidden);
            if (sets.length > 0) {
                sets[kind].pool(inputs, 3 * hidden);
            }
        }
    }

    /** Adds the slopes by the further inputs of all bids to those by the states of nodes. */
    void scatter(BidBlock[] blocks) {
        for (int kind = 0; kind < blocks.length; kind++) {
            float[][] slopes = blocks[kind].furtherSlopes();
            ofServers[kind].scatter(slopes, 0, clusters.servers());
            ofRacks[kind].scatter(slopes, hidden, clusters.racks());
            ofCores[kind].scatter(slopes, 2 * hidden, clusters.cores());
            if (sets.length > 0 && ofSets != null) {
                sets[kind].scatter(slopes, 3 * hidden, ofSets);
            }
        }
    }

    /** Weighted sums of states of nodes for bids. */
    private static final class PooledStates {
        private int size;
        private int[] bids = new int[64];
        private int[] states = new int[64];
        private float[] shares = new float[64];

        void clear() {
            size = 0;
        }

        void add(int bid, int state, float share) {
            if (size == bids.length) {
                bids = Arrays.copyOf(bids, 2 * size);
                states = Arrays.copyOf(states, 2 * size);
                shares = Arrays.copyOf(shares, 2 * size);
            }
            bids[size] = bid;
            states[size] = state;
            shares[size++] = share;
        }

        void pool(float[][] values, float[][] inputs, int first) {
            for (int u = 0; u < values.length; u++) {
                move(values[u], states, inputs[first + u], bids, shares, size);
            }
        }

        void scatter(float[][] slopes, int first, NodeStates into) {
            for (int u = 0; u < into.slopes().length; u++) {
                move(slopes[first + u], bids, into.slopes()[u], states, shares, size);
            }
        }

        private static void move(float[] from, int[] source, float[] to, int[] target, float[] shares, int size) {
            for (int i = 0; i < size; i++) {
                to[target[i]] += shares[i] * from[source[i]];
            }
        }
    }

    /** The GPUs that bids of a kind take on their servers and those that they leave free there, as further inputs of bids. */
    private static final class PooledSets {
        private final float[] slopes;
        private @Nullable ServerSets sets;
        private int size;
        private int[] bids = new int[64];
        private int[] servers = new int[64];
        private long[] taken = new long[64];
        private long[] left = new long[64];
        private float[] shares = new float[64];

        /** @param inside values of the embedding of a set of GPUs */
        PooledSets(int inside) {
            slopes = new float[inside];
        }

        /** Begins with the embeddings of a cluster. */
        void begin(@Nullable ServerSets ofServers) {
            sets = ofServers;
        }

        void clear() {
            size = 0;
        }

        void add(int bid, int server, long takenThere, long leftThere, float share) {
            if (size == bids.length) {
                bids = Arrays.copyOf(bids, 2 * size);
                servers = Arrays.copyOf(servers, 2 * size);
                taken = Arrays.copyOf(taken, 2 * size);
                left = Arrays.copyOf(left, 2 * size);
                shares = Arrays.copyOf(shares, 2 * size);
            }
            bids[size] = bid;
            servers[size] = server;
            taken[size] = takenThere;
            left[size] = leftThere;
            shares[size++] = share;
        }

        /** Adds to the inputs of bids, from the first of these on. */
        void pool(float[][] inputs, int first) {
            for (int i = 0; i < size && sets != null; i++) {
                add(sets.of(servers[i], taken[i]), inputs, first, i);
                add(sets.of(servers[i], left[i]), inputs, first + slopes.length, i);
            }
        }

        private void add(float[] embedding, float[][] inputs, int first, int i) {
            for (int j = 0; j < embedding.length; j++) {
                inputs[first + j][bids[i]] += shares[i] * embedding[j];
            }
        }

        /** Adds the slopes by inputs to those by the embeddings of sets. */
        void scatter(float[][] byInputs, int first, SetSlopes sums) {
            for (int i = 0; i < size && sets != null; i++) {
                add(byInputs, first, i, taken[i], sets, sums);
                add(byInputs, first + slopes.length, i, left[i], sets, sums);
            }
        }

        private void add(float[][] byInputs, int first, int i, long gpus, ServerSets ofServers, SetSlopes sums) {
            for (int j = 0; j < slopes.length; j++) {
                slopes[j] = byInputs[first + j][bids[i]];
            }
            sums.add(ofServers.links(servers[i]), gpus, shares[i], slopes, 0);
        }
    }
}
