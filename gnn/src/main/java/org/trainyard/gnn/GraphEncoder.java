package org.trainyard.gnn;

/**
 * Reads rows of observations into embeddings. Its weights do not depend on how many GPUs, servers, domains or waiting jobs there are.
 *
 * <p>Contract: permuting servers (jobs, domains) permutes their embeddings and changes nothing else; padding changes nothing; a row
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

    /** Reads a batch. The tensors returned live as long as those given. */
    public abstract Embeddings encode(Sections rows);
}
