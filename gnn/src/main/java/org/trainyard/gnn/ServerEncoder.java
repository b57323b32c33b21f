package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.ObservationSpec;

/**
 * Level 1: GPUs, PCIe switches, sockets and the NIC of a server exchange messages over NVLink, PCIe and UPI, then speak as one
 * server. Half as many numbers per node as per server, so that their mean beside their maximum is as wide as a server.
 */
final class ServerEncoder {
    private static final int ROUNDS = 2;

    private final Dense gpu;
    private final Dense pcieSwitch;
    private final Dense socket;
    private final Dense nic;
    private final MessageRound[] rounds = new MessageRound[ROUNDS];
    private final Dense server;
    private @Nullable ServerWiring wiring;

    ServerEncoder(Parameters parameters, int hidden) {
        int inside = (hidden + 1) / 2;
        gpu = Dense.withoutBias(parameters, "gpu.in", ServerGraph.GPU_COLUMNS, inside);
        pcieSwitch = Dense.withoutBias(parameters, "pcie.in", ServerGraph.GPU_COLUMNS, inside);
        socket = Dense.withoutBias(parameters, "socket.in", ServerGraph.GPU_COLUMNS, inside);
        nic = Dense.withoutBias(parameters, "nic.in", ObservationSpec.SERVER, inside);
        for (int i = 0; i < ROUNDS; i++) {
            rounds[i] = new MessageRound(parameters, "inside" + i, inside, ServerGraph.EDGE_COLUMNS);
        }
        server = Dense.withoutBias(parameters, "server.in", 2 * inside + ObservationSpec.SERVER, hidden);
    }

    /** The columns of M servers, {@code [M, K x P x GPU + SERVER]}, to M x H; zero where there is no server. */
    NDArray encode(NDArray columns, int sockets, int perSocket) {
        ServerWiring wires = wiring;
        if (wires == null || !wires.isOf(sockets, perSocket)) {
            wires = new ServerWiring(sockets, perSocket);
            wiring = wires;
        }
        ServerGraph graph = ServerGraph.of(columns, wires);
        NDArray nodes = Tensors.along(
                gpu.applyRelu(graph.gpus()),
                pcieSwitch.applyRelu(graph.sockets()),
                socket.applyRelu(graph.sockets()),
                nic.applyRelu(graph.servers()));
        for (MessageRound round : rounds) {
            NDArray sent = wires.senders(round.fromNodes(nodes), graph.nvlink());
            NDArray messages = Tensors.relu(Tensors.sum(sent, round.fromEdges(graph.edges())));
            nodes = round.update(nodes, hear(graph, messages, nodes.getShape()));
        }
        NDArray mean = mean(nodes, graph);
        NDArray most = Tensors.max(nodes, 0);
        return server.applyRelu(Tensors.beside(mean, most, graph.servers())).squeeze(0);
    }

    private static NDArray mean(NDArray nodes, ServerGraph graph) {
        try (NDArray shares = nodes.mul(graph.shareOfNode())) {
            return shares.sum(new int[] {0}, true);
        }
    }

    /** The mean of the messages that each node hears; of the messages nobody else needs to know. */
    private static NDArray hear(ServerGraph graph, NDArray messages, Shape nodes) {
        try (NDArray flat = messages.reshape(messages.getShape().get(0), -1);
                NDArray sums = graph.hears().matMul(flat)) {
            messages.close();
            return sums.reshape(nodes).muli(graph.shareOfEach());
        }
    }
}
