package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import org.trainyard.env.gym.ObservationSpec;

/** The ablation: nobody talks to anybody, features are only pooled. Shows what the graph is worth. */
public final class FlatEncoder extends GraphEncoder {
    private final Dense server;
    private final Dense domain;
    private final JobEncoder jobEncoder;
    private final Dense context;

    public FlatEncoder(Parameters parameters, int hidden) {
        super(hidden);
        server = Dense.of(parameters, "server.in", 2 * ObservationSpec.GPU + ObservationSpec.SERVER, hidden);
        domain = Dense.of(parameters, "domain.in", ObservationSpec.DOMAIN, hidden);
        jobEncoder = new JobEncoder(parameters, hidden);
        context = Dense.of(parameters, "context", 4 * hidden + ObservationSpec.GLOBAL, hidden);
    }

    @Override
    public Embeddings encode(Sections rows) {
        NDArray gpus =
                Tensors.meanAndMax(rows.gpus(), Tensors.exists(rows.gpus()), 2).squeeze(2);
        NDArray serverExists = Tensors.exists(rows.servers());
        NDArray servers = server.applyRelu(Tensors.beside(gpus, rows.servers())).mul(serverExists);
        JobEncoder.Tokens tokens = jobEncoder.encode(rows.jobs(), rows.focus());
        NDArray pooled = Tensors.meanAndMax(servers, serverExists, 1);
        return new Embeddings(
                servers,
                domain.applyRelu(rows.domains()).mul(Tensors.exists(rows.domains())),
                tokens.jobs(),
                tokens.focus(),
                context.applyRelu(Tensors.beside(pooled, tokens.queue(), rows.global())));
    }
}
