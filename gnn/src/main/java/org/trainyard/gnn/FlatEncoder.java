package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.gnn.onnx.OnnxValue;

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

    @Override
    public EmbeddingValues export(SectionValues rows) {
        OnnxValue gpus = rows.gpus().reshape(0, 0, -1, ObservationSpace.GPU);
        OnnxValue ofGpus = SectionValues.mean(gpus, SectionValues.exists(gpus), 2)
                .concat(-1, gpus.max(2))
                .squeeze(2);
        OnnxValue serverExists = SectionValues.exists(rows.servers());
        OnnxValue servers =
                server.export(ofGpus.concat(-1, rows.servers())).relu().times(serverExists);
        JobEncoder.TokenValues tokens = jobEncoder.export(rows.jobs(), rows.focus());
        OnnxValue pooled = SectionValues.mean(servers, serverExists, 1).concat(-1, servers.max(1));
        return new EmbeddingValues(
                servers,
                domain.export(rows.domains()).relu().times(SectionValues.exists(rows.domains())),
                tokens.jobs(),
                tokens.focus(),
                context.export(pooled.concat(-1, tokens.queue(), rows.global())).relu());
    }
}
