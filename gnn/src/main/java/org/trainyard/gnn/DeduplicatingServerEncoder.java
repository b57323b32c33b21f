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
 * embeddings are cache from batch to batch too, so that a pass costs what has changed.
 */
final class DeduplicatingServerEncoder {
    /** So many states are cache, about 5 MB of them; then all are forgotten. */
    private static final int CAPACITY = 8192;

    private final ServerEncoder encoder;
    private final int hidden;
    private boolean isCaching;
    private @Nullable ServerStates states;
    private float[] cache = new float[0];
    private int[] numbers = new int[0];

    DeduplicatingServerEncoder(ServerEncoder encoder, int hidden) {
        this.encoder = encoder;
        this.hidden = hidden;
    }

    /** Says whether the weights stay as they are from now on; whatever was cache is forgotten. */
    void cacheEmbeddings(boolean isOn) {
        isCaching = isOn;
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
        if (!isCaching || known.count() + count > CAPACITY) {
            known.forget();
        }
        int before = known.count();
        NDManager scope = columns.getManager();
        look(known, columns.toFloatArray(), count);
        int fresh = known.count() - before;
        if (!isCaching) {
            NDArray distinct = encoder.encode(known.since(before), fresh, sockets, perSocket, scope);
            return fresh == count ? distinct : spread(distinct, count);
        }
        if (fresh > 0) {
            learn(encoder.encode(known.since(before), fresh, sockets, perSocket, scope), before);
        }
        return recall(scope, count);
    }

    /** Numbers the servers' states. */
    private void look(ServerStates known, float[] columns, int count) {
        if (numbers.length < count) {
            numbers = new int[count];
        }
        for (int i = 0; i < count; i++) {
            numbers[i] = known.number(columns, i * known.width());
        }
    }

    private void learn(NDArray embeddings, int before) {
        float[] learned = embeddings.toFloatArray();
        int most = before * hidden + learned.length;
        if (cache.length < most) {
            cache = Arrays.copyOf(cache, 2 * most);
        }
        System.arraycopy(learned, 0, cache, before * hidden, learned.length);
    }

    private NDArray recall(NDManager scope, int count) {
        float[] recalled = new float[count * hidden];
        for (int i = 0; i < count; i++) {
            System.arraycopy(cache, numbers[i] * hidden, recalled, i * hidden, hidden);
        }
        return Tensors.copyOf(recalled, new Shape(count, hidden), scope);
    }

    /** To every server the embedding of its state. */
    private NDArray spread(NDArray embeddings, int count) {
        NDArray index = embeddings.getManager().create(Arrays.copyOf(numbers, count));
        return Embedding.embedding(index, embeddings, SparseFormat.DENSE).singletonOrThrow();
    }
}
