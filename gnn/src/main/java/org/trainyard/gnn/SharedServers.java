package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.ndarray.types.SparseFormat;
import ai.djl.nn.core.Embedding;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Level 1 once per state rather than once per server: servers of equal columns share one embedding. While the weights are frozen,
 * embeddings are kept from batch to batch too, so that a pass costs what has changed.
 */
final class SharedServers {
    /** So many states are kept, about 5 MB of them; then all are forgotten. */
    private static final int MOST_KEPT = 8192;

    private final ServerEncoder encoder;
    private final int hidden;
    private boolean isFrozen;
    private @Nullable ServerStates states;
    private float[] kept = new float[0];
    private int[] numbers = new int[0];
    private int[] firsts = new int[0];

    SharedServers(ServerEncoder encoder, int hidden) {
        this.encoder = encoder;
        this.hidden = hidden;
    }

    /** Says whether the weights stay as they are from now on; whatever was kept is forgotten. */
    void freeze(boolean isNow) {
        isFrozen = isNow;
        states = null;
    }

    /** The columns of servers, {@code [M, K x P x GPU + SERVER]}, to M x H. */
    NDArray encode(NDArray columns, int sockets, int perSocket) {
        int count = Math.toIntExact(columns.getShape().get(0));
        int width = Math.toIntExact(columns.getShape().get(1));
        ServerStates known = states;
        if (known == null || known.width() != width) {
            known = new ServerStates(width);
            states = known;
        }
        if (!isFrozen || known.count() + count > MOST_KEPT) {
            known.forget();
        }
        int before = known.count();
        look(known, columns.toFloatArray(), count);
        if (isFrozen) {
            learn(known, before, columns, sockets, perSocket);
            return recall(columns.getManager(), count);
        }
        if (known.count() == count) {
            return encoder.encode(columns, sockets, perSocket);
        }
        NDArray distinct = encoder.encode(rows(columns, firsts, known.count()), sockets, perSocket);
        return rows(distinct, numbers, count);
    }

    /** Numbers the servers' states, and notes the first server in each that is new. */
    private void look(ServerStates known, float[] columns, int count) {
        if (numbers.length < count) {
            numbers = new int[count];
            firsts = new int[count];
        }
        int before = known.count();
        for (int i = 0; i < count; i++) {
            int seen = known.count();
            numbers[i] = known.number(columns, i * known.width());
            if (known.count() > seen) {
                firsts[seen - before] = i;
            }
        }
    }

    private void learn(ServerStates known, int before, NDArray columns, int sockets, int perSocket) {
        int fresh = known.count() - before;
        if (fresh == 0) {
            return;
        }
        float[] learned =
                encoder.encode(rows(columns, firsts, fresh), sockets, perSocket).toFloatArray();
        if (kept.length < known.count() * hidden) {
            kept = Arrays.copyOf(kept, 2 * known.count() * hidden);
        }
        System.arraycopy(learned, 0, kept, before * hidden, learned.length);
    }

    private NDArray recall(NDManager scope, int count) {
        float[] recalled = new float[count * hidden];
        for (int i = 0; i < count; i++) {
            System.arraycopy(kept, numbers[i] * hidden, recalled, i * hidden, hidden);
        }
        return Tensors.copyOf(recalled, new Shape(count, hidden), scope);
    }

    private static NDArray rows(NDArray from, int[] which, int count) {
        NDArray index = from.getManager().create(Arrays.copyOf(which, count));
        return Embedding.embedding(index, from, SparseFormat.DENSE).singletonOrThrow();
    }
}
