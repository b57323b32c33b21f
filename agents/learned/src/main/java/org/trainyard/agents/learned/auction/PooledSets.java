package org.trainyard.agents.learned.auction;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.inside.ServerSets;
import org.trainyard.agents.learned.inside.SetSlopes;

/** The GPUs that bids of a kind take on their servers and those that they leave free there, as further inputs of bids. */
final class PooledSets {
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
