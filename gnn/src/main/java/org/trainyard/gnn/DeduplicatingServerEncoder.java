package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.ndarray.types.SparseFormat;
import ai.djl.nn.core.Embedding;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * Runs level 1 once per distinct server state of a batch rather than once per server: servers of equal columns
 * share one embedding. While {@link #cacheEmbeddings} is on, embeddings are also kept from batch to batch, so that
 * a pass only encodes new states.
 */
final class DeduplicatingServerEncoder {
    /** States in the cache, about 5 MB, before it is emptied. */
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

    /** Switches the cache on or off, and empties it. */
    void cacheEmbeddings(boolean isOn) {
        isCaching = isOn;
        states = null;
    }

    /** The columns of M servers, {@code [M, K x P x GPU + SERVER]}, to embeddings, M x H. */
    NDArray encode(NDArray columns, int sockets, int perSocket) {
        int count = Math.toIntExact(columns.getShape().get(0));
        int width = Math.toIntExact(columns.getShape().get(1));
        ServerStates known = states;
        if (known == null || known.width() != width) {
            known = new ServerStates(width);
            states = known;
        }
        if (!isCaching || known.count() + count > CAPACITY) {
            known.clear();
        }
        int before = known.count();
        NDManager scope = columns.getManager();
        number(known, columns.toFloatArray(), count);
        int fresh = known.count() - before;
        if (!isCaching) {
            NDArray distinct = encoder.encode(known.since(before), fresh, sockets, perSocket, scope);
            return fresh == count ? distinct : gather(distinct, count);
        }
        if (fresh > 0) {
            store(encoder.encode(known.since(before), fresh, sockets, perSocket, scope), before);
        }
        return load(scope, count);
    }

    /** Looks up the number of every server's state. */
    private void number(ServerStates known, float[] columns, int count) {
        if (numbers.length < count) {
            numbers = new int[count];
        }
        for (int i = 0; i < count; i++) {
            numbers[i] = known.number(columns, i * known.width());
        }
    }

    private void store(NDArray embeddings, int before) {
        float[] fresh = embeddings.toFloatArray();
        int most = before * hidden + fresh.length;
        if (cache.length < most) {
            cache = Arrays.copyOf(cache, 2 * most);
        }
        System.arraycopy(fresh, 0, cache, before * hidden, fresh.length);
    }

    private NDArray load(NDManager scope, int count) {
        float[] loaded = new float[count * hidden];
        for (int i = 0; i < count; i++) {
            System.arraycopy(cache, numbers[i] * hidden, loaded, i * hidden, hidden);
        }
        return Tensors.copyOf(loaded, new Shape(count, hidden), scope);
    }

    /** Gathers the embedding of every server's state. */
    private NDArray gather(NDArray embeddings, int count) {
        NDArray index = embeddings.getManager().create(Arrays.copyOf(numbers, count));
        return Embedding.embedding(index, embeddings, SparseFormat.DENSE).singletonOrThrow();
    }

    /** The embeddings of all servers, N x S x H, as nodes of a graph, without deduplication. */
    OnnxValue export(SectionValues rows) {
        return encoder.export(rows);
    }
}
