package org.trainyard.gnn.cluster;

import java.util.Arrays;

/** The forward pass of {@link GpuSetEncoder} over plain arrays, one set at a time. O(k hidden^2) for each round. */
final class GpuSetForwardPass {
    private final GpuSetEncoder.Settings settings;
    private final int hidden;
    private final ArrayLinear in;
    private final ArrayMessages[] rounds;
    private final ArrayLinear[] links;
    private final ArrayLinear read;
    private final ArrayLinear out;
    private final int[] members = new int[Long.SIZE];
    private final float[] row;
    private final float[] states;
    private final float[] sent;
    private final float[] mean;
    private final float[] term;
    private final float[] own;
    private final float[] edge = new float[LinkMatrix.COLUMNS];
    private final float[] pooled;

    /** @param weights of the encoder, copied; in the order of {@link org.trainyard.gnn.Parameters#values} */
    GpuSetForwardPass(GpuSetEncoder.Settings settings, float[] weights) {
        if (weights.length != settings.weights()) {
            throw new IllegalArgumentException(
                    "there are (%d) weights, not (%d)".formatted(settings.weights(), weights.length));
        }
        this.settings = settings;
        hidden = settings.hidden();
        int square = hidden * hidden;
        in = new ArrayLinear(weights, 0, settings.columns(), hidden, true);
        int at = hidden * settings.columns() + hidden;
        rounds = new ArrayMessages[settings.rounds()];
        links = new ArrayLinear[settings.rounds()];
        int ofLinks = (LinkMatrix.COLUMNS + 1) * hidden;
        for (int i = 0; i < rounds.length; i++) {
            // The links' weights lie behind those of the messages, before the rest of the round.
            links[i] = new ArrayLinear(weights, at + square, LinkMatrix.COLUMNS, hidden, true);
            float[] rest = new float[ArrayMessages.size(hidden)];
            System.arraycopy(weights, at, rest, 0, square);
            System.arraycopy(weights, at + square + ofLinks, rest, square, rest.length - square);
            rounds[i] = new ArrayMessages(rest, 0, hidden);
            at += rest.length + ofLinks;
        }
        read = new ArrayLinear(weights, at, hidden, hidden, true);
        out = new ArrayLinear(weights, at + square + hidden, settings.pooled(), settings.size(), true);
        row = new float[settings.columns()];
        states = new float[Long.SIZE * hidden];
        sent = new float[Long.SIZE * hidden];
        mean = new float[Long.SIZE * hidden];
        term = new float[hidden];
        own = new float[hidden];
        pooled = new float[settings.pooled()];
    }

    float[] embedding(LinkMatrix matrix, long mask) {
        float[] embedding = new float[settings.size()];
        if (settings.isFlat()) {
            Arrays.fill(row, 0);
            GpuSetEncoder.flatten(matrix, mask, row, 0);
            in.applyRelu(row, 0, states, 0);
            read.applyRelu(states, 0, pooled, 0);
        } else {
            int k = GpuSet.members(mask, members);
            for (int i = 0; i < k; i++) {
                GpuSetEncoder.node(matrix, members, k, i, row, 0);
                in.applyRelu(row, 0, states, i * hidden);
            }
            for (int round = 0; round < rounds.length; round++) {
                exchange(matrix, k, round);
            }
            pool(k);
        }
        out.apply(pooled, 0, embedding, 0);
        return embedding;
    }

    private void exchange(LinkMatrix matrix, int k, int round) {
        for (int i = 0; i < k; i++) {
            rounds[round].term(states, i * hidden, sent, i * hidden);
        }
        Arrays.fill(mean, 0, k * hidden, 0);
        for (int i = 0; i < k; i++) {
            for (int j = 0; j < k; j++) {
                for (int c = 0; c < LinkMatrix.COLUMNS; c++) {
                    edge[c] = matrix.value(members[i], members[j], c);
                }
                links[round].apply(edge, 0, term, 0);
                for (int u = 0; u < hidden; u++) {
                    mean[i * hidden + u] += Math.max(0, term[u] + sent[j * hidden + u]);
                }
            }
            for (int u = 0; u < hidden; u++) {
                mean[i * hidden + u] /= k;
            }
        }
        for (int i = 0; i < k; i++) {
            rounds[round].heard(mean, i * hidden, term, 0);
            rounds[round].own(states, i * hidden, own, 0);
            rounds[round].update(states, i * hidden, own, 0, term, 0);
        }
    }

    private void pool(int k) {
        Arrays.fill(pooled, 0);
        for (int i = 0; i < k; i++) {
            read.applyRelu(states, i * hidden, term, 0);
            for (int u = 0; u < hidden; u++) {
                pooled[u] += term[u] / k;
                pooled[hidden + u] = Math.max(pooled[hidden + u], term[u]);
            }
        }
    }
}
