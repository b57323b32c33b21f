package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * Level 1: message passing between the GPUs, PCIe switches, sockets and NIC of a server over NVLink, PCIe and UPI,
 * then mean and max pooling. A node has half the size of a server's embedding, so the pooled vectors together have
 * the whole size.
 */
final class ServerEncoder {
    private static final int ROUNDS = 2;
    private static final int[] NODES = {0};

    private final LinearLayer gpu;
    private final LinearLayer pcieSwitch;
    private final LinearLayer socket;
    private final LinearLayer nic;
    private final MessageRound[] rounds = new MessageRound[ROUNDS];
    private final LinearLayer server;
    private @Nullable ServerAdjacency adjacency;

    ServerEncoder(Parameters parameters, int hidden) {
        int inside = (hidden + 1) / 2;
        gpu = LinearLayer.withoutBias(parameters, "gpu.in", ServerGraph.GPU_COLUMNS, inside);
        pcieSwitch = LinearLayer.withoutBias(parameters, "pcie.in", ServerGraph.GPU_COLUMNS, inside);
        socket = LinearLayer.withoutBias(parameters, "socket.in", ServerGraph.GPU_COLUMNS, inside);
        nic = LinearLayer.withoutBias(parameters, "nic.in", ObservationSpace.SERVER, inside);
        for (int i = 0; i < ROUNDS; i++) {
            rounds[i] = new MessageRound(parameters, "inside" + i, inside, ServerGraph.EDGE_COLUMNS);
        }
        server = LinearLayer.withoutBias(parameters, "server.in", 2 * inside + ObservationSpace.SERVER, hidden);
    }

    /**
     * The columns of M servers, {@code [M, K x P x GPU + SERVER]}, to embeddings, M x H; zero where there is no server.
     */
    NDArray encode(NDArray columns, int sockets, int perSocket) {
        int count = Math.toIntExact(columns.getShape().get(0));
        return encode(columns.toFloatArray(), count, sockets, perSocket, columns.getManager());
    }

    /**
     * Encodes the columns of {@code count} servers, an array of {@code count x (K x P x GPU + SERVER)} values,
     * server after server, to embeddings, {@code count x H}; zero where there is no server.
     */
    NDArray encode(float[] columns, int count, int sockets, int perSocket, NDManager scope) {
        ServerAdjacency current = adjacency;
        if (current == null || !current.isOf(sockets, perSocket)) {
            current = new ServerAdjacency(sockets, perSocket);
            adjacency = current;
        }
        ServerGraph graph = ServerGraph.of(columns, count, current, scope);
        NDArray nodes = Tensors.relu(Tensors.along(
                gpu.apply(graph.gpus()),
                pcieSwitch.apply(graph.sockets()),
                socket.apply(graph.sockets()),
                nic.apply(graph.servers())));
        for (MessageRound round : rounds) {
            NDArray sent = current.senders(round.fromNodes(nodes), graph.nvlink());
            nodes = round.updateByMeans(nodes, meanMessages(graph, round.messages(sent, graph.edges())));
        }
        NDArray byNode = nodes.reshape(current.nodes(), count, -1);
        NDArray mean = byNode.sum(NODES).mul(graph.shareOfNode());
        NDArray most = Tensors.max(byNode, 0).squeeze(0);
        return server.applyRelu(Tensors.beside(mean, most, graph.servers()));
    }

    /** The mean of the messages that each node receives; closes the messages. */
    private static NDArray meanMessages(ServerGraph graph, NDArray messages) {
        NDArray shares = graph.shareOfEach();
        try (NDArray flat = messages.reshape(graph.incidence().getShape().get(1), -1);
                NDArray sums = graph.incidence().matMul(flat)) {
            messages.close();
            return sums.reshape(shares.getShape().get(0), -1).muli(shares);
        }
    }

    /** {@link #encode} as nodes of a graph: the embeddings of all servers, N x S x H. */
    OnnxValue export(SectionValues rows) {
        ServerValues values = new ServerValues(rows);
        OnnxValue nodes = gpu.export(values.gpus)
                .concat(
                        2,
                        pcieSwitch.export(values.sockets),
                        socket.export(values.sockets),
                        nic.export(rows.servers().unsqueeze(2)))
                .relu();
        for (MessageRound round : rounds) {
            OnnxValue sums =
                    values.sums(round.exportFromNodes(nodes), round.exportFromEdges(values.ports), round.hidden());
            nodes = round.exportUpdate(nodes, round.exportHeard(sums.times(values.shareOfEach)));
        }
        OnnxValue mean = nodes.sum(2).times(values.shareOfNode).squeeze(2);
        return server.export(mean.concat(-1, nodes.max(2).squeeze(2), rows.servers()))
                .relu();
    }
}
