package org.trainyard.gnn;

/**
 * Reads rows of observations into embeddings. Its weights do not depend on how many GPUs, servers, domains or waiting jobs there are.
 *
 * <p>Contract: permuting servers (jobs, domains) permutes their embeddings and changes nothing else, permuting the sockets of a
 * server or the GPUs of a socket changes nothing at all; padding changes nothing; a row
 * is read alone.
 */
public abstract class GraphEncoder {
    private final int hidden;

    GraphEncoder(int hidden) {
        if (hidden < 1) {
            throw new IllegalArgumentException("hidden size (%d) must be at least 1".formatted(hidden));
        }
        this.hidden = hidden;
    }

    /** H, numbers per embedding. */
    public final int hidden() {
        return hidden;
    }

    /**
     * Says that from now on the weights stay as they are and no gradients are asked for, so that what was worked out may be cache
     * from batch to batch; or that they may change again, which forgets it all. Not frozen at first.
     */
    public void cacheEmbeddings(boolean isOn) {}

    /** Reads a batch. The tensors returned live as long as those given. */
    public abstract Embeddings encode(Sections rows);
}
