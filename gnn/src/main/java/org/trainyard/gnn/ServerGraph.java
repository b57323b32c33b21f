package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.observation.GpuColumn;
import org.trainyard.env.gym.observation.ObservationSpace;

/**
 * The graphs inside M servers as tensors of node and edge features; see {@link ServerAdjacency}. Node or edge is
 * the first axis and server the second, so that messages of all servers are summed by one matrix product.
 *
 * @param gpus (G x M) x {@link #GPU_COLUMNS}
 * @param sockets (K x M) x {@link #GPU_COLUMNS}: features of a socket and of its PCIe switch, an eighth of the sums
 *     over the socket's GPUs
 * @param servers M x SERVER
 * @param edges (E x M) x {@value #EDGE_COLUMNS}: one-hot kind, bandwidth, rings on it
 * @param nvlink 1 x M x 1: one where a server has NVLink; null when all have
 * @param incidence V x E: one where the node receives the messages of the edge
 * @param shareOfEach (V x M) x 1: one over the number of edges that a node receives from, zero where there is no node
 * @param shareOfNode M x 1: one over the number of nodes
 */
record ServerGraph(
        NDArray gpus,
        NDArray sockets,
        NDArray servers,
        NDArray edges,
        @Nullable NDArray nvlink,
        NDArray incidence,
        NDArray shareOfEach,
        NDArray shareOfNode) {
    /** Columns of a GPU that are node features; two of its NVLink and two of its PCIe follow. */
    static final int GPU_COLUMNS = GpuColumn.NVLINK_BANDWIDTH.index();

    static final int EDGE_COLUMNS = ServerAdjacency.KINDS + 2;

    /** The graphs of M servers from their columns, {@code [M, G x GPU + SERVER]}. */
    static ServerGraph of(float[] columns, int count, ServerAdjacency adjacency, NDManager scope) {
        ServerFeatures features = new ServerFeatures(columns, count, adjacency);
        return new ServerGraph(
                tensor(features.gpus, GPU_COLUMNS, scope),
                tensor(features.sockets, GPU_COLUMNS, scope),
                tensor(features.servers, ObservationSpace.SERVER, scope),
                tensor(features.edges, EDGE_COLUMNS, scope),
                features.isNvlinkEverywhere() ? null : Tensors.copyOf(features.nvlink, new Shape(1, count, 1), scope),
                adjacency.incidence(scope),
                tensor(features.shareOfEach, 1, scope),
                tensor(features.shareOfNode, 1, scope));
    }

    private static NDArray tensor(float[] values, int width, NDManager scope) {
        return Tensors.copyOf(values, new Shape(values.length / width, width), scope);
    }
}
