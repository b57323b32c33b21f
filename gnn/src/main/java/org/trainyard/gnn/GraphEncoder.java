package org.trainyard.gnn;

/**
 * Encodes observation rows into embeddings. Its weights are shared over GPUs, servers, domains and waiting jobs, so
 * it reads a cluster of any size.
 *
 * <p>Contract: permuting servers (jobs, domains) permutes their embeddings and changes nothing else, permuting the
 * sockets of a server or the GPUs of a socket changes nothing at all; padding changes nothing; rows do not
 * influence each other.
 */
public abstract class GraphEncoder {
    private final int hidden;

    GraphEncoder(int hidden) {
        if (hidden < 1) {
            throw new IllegalArgumentException("hidden size (%d) must be at least 1".formatted(hidden));
        }
        this.hidden = hidden;
    }

    /** H, the size of an embedding. */
    public final int hidden() {
        return hidden;
    }

    /**
     * Keeps embeddings from batch to batch, or stops doing so; either way drops those it has. While it is on,
     * weights must not change and no gradients may be asked for. Off at first.
     */
    public void cacheEmbeddings(boolean isOn) {}

    /** Encodes a batch. The embeddings belong to the manager of the rows. */
    public abstract Embeddings encode(Sections rows);

    /** {@link #encode} as nodes of a graph. */
    public abstract EmbeddingValues export(SectionValues rows);
}
