package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import org.trainyard.env.gym.observation.ObservationSpace;

/** The ablation of the graph network: features are pooled without message passing. */
public final class FlatEncoder extends GraphEncoder {
    private final LinearLayer server;
    private final LinearLayer domain;
    private final JobEncoder jobEncoder;
    private final LinearLayer context;

    public FlatEncoder(Parameters parameters, int hidden) {
        super(hidden);
        server = LinearLayer.of(parameters, "server.in", 2 * ObservationSpace.GPU + ObservationSpace.SERVER, hidden);
        domain = LinearLayer.of(parameters, "domain.in", ObservationSpace.DOMAIN, hidden);
        jobEncoder = new JobEncoder(parameters, hidden);
        context = LinearLayer.of(parameters, "context", 4 * hidden + ObservationSpace.GLOBAL, hidden);
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
