package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.nn.Activation;
import org.trainyard.env.gym.ObservationSpec;

/** Level 1: the GPUs of a server tell one another what they run, then speak as one server. */
final class ServerEncoder {
    private final Dense gpu;
    private final Dense self;
    private final Dense others;
    private final Dense server;

    ServerEncoder(Parameters parameters, int hidden) {
        gpu = Dense.of(parameters, "gpu.in", ObservationSpec.GPU, hidden);
        self = Dense.of(parameters, "gpu.self", hidden, hidden, 1, 0);
        others = Dense.withoutBias(parameters, "gpu.others", hidden, hidden);
        server = Dense.of(parameters, "server.in", 2 * hidden + ObservationSpec.SERVER, hidden);
    }

    /** N x S x G x GPU and N x S x SERVER to N x S x H. */
    NDArray encode(NDArray gpus, NDArray servers) {
        NDArray exists = Tensors.exists(gpus);
        NDArray nodes = gpu.applyRelu(gpus).mul(exists);
        NDArray heard = others.apply(Tensors.mean(nodes, exists, 2));
        nodes = Activation.relu(self.apply(nodes).add(heard)).mul(exists);
        NDArray pooled = Tensors.meanAndMax(nodes, exists, 2).squeeze(2);
        return server.applyRelu(Tensors.beside(pooled, servers)).mul(Tensors.exists(servers));
    }
}
