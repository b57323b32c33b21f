package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import org.trainyard.env.gym.ObservationSpec;

/**
 * The insides of M servers as tensors: the columns of nodes and edges, and who hears whom; see {@link ServerWiring}.
 *
 * @param gpus M x G x {@value #GPU_COLUMNS}
 * @param sockets M x K x {@value #GPU_COLUMNS}: sums over the GPUs of a socket, an eighth of them; of its switch and of itself
 * @param servers M x 1 x SERVER
 * @param edges M x E x {@value #EDGE_COLUMNS}: one-hot kind, bandwidth, rings on it
 * @param hears M x V x E: the share of each edge's message in the mean that a node hears
 * @param share M x V x 1: the share of a node in the mean over all
 */
record ServerGraph(NDArray gpus, NDArray sockets, NDArray servers, NDArray edges, NDArray hears, NDArray share) {
    /** Columns of a GPU that are its own; then come two of its NVLink and two of its PCIe. */
    static final int GPU_COLUMNS = 8;

    static final int EDGE_COLUMNS = ServerWiring.KINDS + 2;

    private static final int NVLINK = 4;
    private static final int UPI = 6;
    private static final int NIC = 8;
    private static final float EIGHTH = 1f / 8;

    /** Cuts the columns of M servers, {@code [M, G x GPU + SERVER]}. */
    static ServerGraph of(NDArray columns, ServerWiring wiring) {
        NDList parts = columns.split(new long[] {(long) wiring.gpus() * ObservationSpec.GPU}, 1);
        NDArray gpus = parts.get(0).reshape(-1, wiring.gpus(), ObservationSpec.GPU);
        NDArray sockets = gpus.reshape(-1, wiring.sockets(), wiring.perSocket(), ObservationSpec.GPU)
                .sum(new int[] {2})
                .mul(EIGHTH);
        NDArray servers = parts.get(1).reshape(-1, 1, ObservationSpec.SERVER);

        long[] cuts = {1, GPU_COLUMNS, GPU_COLUMNS + 2};
        NDList ofGpu = gpus.split(cuts, 2);
        NDList ofSocket = sockets.split(cuts, 2);
        NDList ofServer = servers.split(new long[] {NVLINK, NVLINK + 1, UPI, NIC}, 2);
        NDArray gpu = ofGpu.get(0);
        NDArray socket = ofSocket.get(0).sign();
        NDArray nic = socket.max(new int[] {1}, true);
        NDArray nvlink = ofServer.get(1).mul(gpu);
        NDArray upi = ofServer.get(3).mul(socket);
        NDArray nics = ofServer.get(4).mul(socket);

        NDArray exist =
                along(nvlink, gpu, socket, upi.split(new long[] {1}, 2).get(0).sign(), socket, gpu, socket, socket);
        NDArray features =
                along(ofGpu.get(2), ofGpu.get(3), ofSocket.get(3), upi, nics, ofGpu.get(3), ofSocket.get(3), nics);
        NDManager scope = columns.getManager();
        NDArray nodes = along(gpu, socket, socket, nic);
        NDArray heard = wiring.hears(scope).mul(exist.transpose(0, 2, 1)).mul(nodes);
        return new ServerGraph(
                gpus.split(new long[] {GPU_COLUMNS}, 2).get(0),
                sockets.split(new long[] {GPU_COLUMNS}, 2).get(0),
                servers,
                Tensors.beside(exist.mul(wiring.kinds(scope)), features),
                heard.div(heard.sum(new int[] {2}, true).maximum(1)),
                nodes.div(nodes.sum(new int[] {1}, true).maximum(1)));
    }

    private static NDArray along(NDArray first, NDArray... others) {
        return first.getNDArrayInternal().concat(new NDList(others), 1);
    }
}
