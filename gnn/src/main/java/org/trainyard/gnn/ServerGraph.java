package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.observation.GpuColumn;
import org.trainyard.env.gym.observation.ObservationSpace;

/**
 * The insides of M servers as tensors, the columns of nodes and edges; see {@link ServerAdjacency}. What they are of comes first and the
 * servers second, so that to hear is one product of matrices for all servers.
 *
 * @param gpus (G x M) x {@link #GPU_COLUMNS}
 * @param sockets (K x M) x {@link #GPU_COLUMNS}: sums over the GPUs of a socket, an eighth of them; of its switch and of itself
 * @param servers M x SERVER
 * @param edges (E x M) x {@value #EDGE_COLUMNS}: one-hot kind, bandwidth, rings on it
 * @param nvlink 1 x M x 1: one where there is NVLink; null when all servers have it
 * @param hears V x E: one where the node hears the edge
 * @param shareOfEach (V x M) x 1: one by the number of edges that a node hears, zero where there is no node
 * @param shareOfNode M x 1: one by the number of nodes
 */
record ServerGraph(
        NDArray gpus,
        NDArray sockets,
        NDArray servers,
        NDArray edges,
        @Nullable NDArray nvlink,
        NDArray hears,
        NDArray shareOfEach,
        NDArray shareOfNode) {
    /** Columns of a GPU that are its own; then come two of its NVLink and two of its PCIe. */
    static final int GPU_COLUMNS = GpuColumn.NVLINK_BANDWIDTH.index();

    static final int EDGE_COLUMNS = ServerAdjacency.KINDS + 2;

    /** Cuts the columns of M servers, {@code [M, G x GPU + SERVER]}. */
    static ServerGraph of(float[] columns, int count, ServerAdjacency wiring, NDManager scope) {
        ServerFeatures cut = new ServerFeatures(columns, count, wiring);
        return new ServerGraph(
                tensor(cut.gpus, GPU_COLUMNS, scope),
                tensor(cut.sockets, GPU_COLUMNS, scope),
                tensor(cut.servers, ObservationSpace.SERVER, scope),
                tensor(cut.edges, EDGE_COLUMNS, scope),
                cut.isNvlinkEverywhere() ? null : Tensors.copyOf(cut.nvlink, new Shape(1, count, 1), scope),
                wiring.hears(scope),
                tensor(cut.shareOfEach, 1, scope),
                tensor(cut.shareOfNode, 1, scope));
    }

    private static NDArray tensor(float[] values, int width, NDManager scope) {
        return Tensors.copyOf(values, new Shape(values.length / width, width), scope);
    }
}
