package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import org.trainyard.env.gym.ObservationSpec;

/**
 * The insides of M servers as tensors, the columns of nodes and edges; see {@link ServerWiring}. What they are of comes first and the
 * servers second, so that to hear is one product of matrices for all servers.
 *
 * @param gpus G x M x {@value #GPU_COLUMNS}
 * @param sockets K x M x {@value #GPU_COLUMNS}: sums over the GPUs of a socket, an eighth of them; of its switch and of itself
 * @param servers 1 x M x SERVER
 * @param edges E x M x {@value #EDGE_COLUMNS}: one-hot kind, bandwidth, rings on it
 * @param nvlink 1 x M x 1: one where there is NVLink
 * @param hears V x E: one where the node hears the edge
 * @param shareOfEach V x M x 1: one by the number of edges that a node hears, zero where there is no node
 * @param shareOfNode V x M x 1: one by the number of nodes, zero where there is no node
 */
record ServerGraph(
        NDArray gpus,
        NDArray sockets,
        NDArray servers,
        NDArray edges,
        NDArray nvlink,
        NDArray hears,
        NDArray shareOfEach,
        NDArray shareOfNode) {
    /** Columns of a GPU that are its own; then come two of its NVLink and two of its PCIe. */
    static final int GPU_COLUMNS = 8;

    static final int EDGE_COLUMNS = ServerWiring.KINDS + 2;

    private static final int NVLINK = 4;
    private static final int UPI = 6;
    private static final int NIC = 8;
    private static final float EIGHTH = 1f / 8;

    /** Cuts the columns of M servers, {@code [M, G x GPU + SERVER]}. */
    static ServerGraph of(NDArray columns, ServerWiring wiring) {
        long count = columns.getShape().get(0);
        NDManager scope = columns.getManager();
        NDList parts = columns.split(new long[] {(long) wiring.gpus() * ObservationSpec.GPU}, 1);
        NDArray gpus =
                parts.get(0).reshape(count, wiring.gpus(), ObservationSpec.GPU).transpose(1, 0, 2);
        NDArray sockets = gpus.reshape(wiring.sockets(), wiring.perSocket(), count, ObservationSpec.GPU)
                .sum(new int[] {1})
                .muli(EIGHTH);
        NDArray servers = parts.get(1).reshape(1, count, ObservationSpec.SERVER);

        long[] cuts = {1, GPU_COLUMNS, GPU_COLUMNS + 2};
        NDList ofGpu = gpus.split(cuts, 2);
        NDList ofSocket = sockets.split(cuts, 2);
        NDList ofServer = servers.split(new long[] {1, NVLINK, NVLINK + 1, UPI, NIC}, 2);
        NDArray gpu = ofGpu.get(0);
        NDArray socket = ofSocket.get(0).sign();
        NDArray nvlink = ofServer.get(2);
        NDArray upi = ofServer.get(4).mul(socket);
        NDArray nics = ofServer.get(5).mul(socket);
        NDArray pcie = ofGpu.get(3);
        NDArray roots = ofSocket.get(3);

        NDArray upiThere = upi.split(new long[] {1}, 2).get(0).sign();
        NDArray there = Tensors.along(nvlink.mul(gpu), gpu, socket, upiThere, socket, gpu, socket, socket);
        NDArray features = Tensors.along(ofGpu.get(2).mul(nvlink), pcie, roots, upi, nics, pcie, roots, nics);
        NDArray nodes = Tensors.along(gpu, socket, socket, ofServer.get(0));
        NDArray hears = wiring.hears(scope);
        NDArray heard = hears.matMul(there.squeeze(2)).reshape(nodes.getShape());
        return new ServerGraph(
                gpus.split(new long[] {GPU_COLUMNS}, 2).get(0),
                sockets.split(new long[] {GPU_COLUMNS}, 2).get(0),
                servers,
                Tensors.beside(there.mul(wiring.kinds(scope)), features),
                nvlink,
                hears,
                nodes.div(heard.maximum(1)),
                nodes.div(nodes.sum(new int[] {0}, true).maximum(1)));
    }
}
