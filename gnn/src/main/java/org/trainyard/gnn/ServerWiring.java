package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;

/**
 * Who is connected to whom in a server of K sockets of P GPUs each: made once per shape, constant from then on.
 *
 * <p>V nodes, in order: K x P GPUs, K PCIe switches, K sockets, one NIC. E edges, in order, by their sender: NVLink ports (a GPU to
 * all others), PCIe up (GPU to switch), roots up (switch to socket), UPI ports (a socket to all others), NIC slots up (switch to
 * NIC), then PCIe, roots and NIC slots down. What is sent over an NVLink or UPI port is the same to all, for its features are the
 * port's.
 *
 * <p>Assumed, for {@code ServerSpec} says no more: one PCIe switch per socket, and NICs on all switches.
 */
final class ServerWiring {
    /** NVLink, PCIe (roots too), UPI, NIC slot. */
    static final int KINDS = 4;

    private static final int NVLINK = 0;
    private static final int PCIE = 1;
    private static final int UPI = 2;
    private static final int NIC = 3;

    private final int sockets;
    private final int perSocket;
    private final int gpus;
    private final float[] hears;
    private final float[] kinds;
    private int edge;

    ServerWiring(int sockets, int perSocket) {
        this.sockets = sockets;
        this.perSocket = perSocket;
        gpus = sockets * perSocket;
        hears = new float[nodes() * edges()];
        kinds = new float[edges() * KINDS];
        for (int g = 0; g < gpus; g++) {
            for (int other = 0; other < gpus; other++) {
                connect(other, other != g);
            }
            next(NVLINK);
        }
        connectAll(PCIE, gpus, g -> switchOf(g));
        connectAll(PCIE, sockets, k -> socket(k));
        for (int k = 0; k < sockets; k++) {
            for (int other = 0; other < sockets; other++) {
                connect(socket(other), other != k);
            }
            next(UPI);
        }
        connectAll(NIC, sockets, k -> nodes() - 1);
        connectAll(PCIE, gpus, g -> g);
        connectAll(PCIE, sockets, k -> gpus + k);
        connectAll(NIC, sockets, k -> gpus + k);
    }

    private interface Receiver {
        int of(int sender);
    }

    private void connectAll(int kind, int senders, Receiver receiver) {
        for (int i = 0; i < senders; i++) {
            connect(receiver.of(i), true);
            next(kind);
        }
    }

    private void connect(int receiver, boolean hearsIt) {
        hears[receiver * edges() + edge] = hearsIt ? 1 : 0;
    }

    private void next(int kind) {
        kinds[edge++ * KINDS + kind] = 1;
    }

    private int switchOf(int gpu) {
        return gpus + gpu / perSocket;
    }

    private int socket(int k) {
        return gpus + sockets + k;
    }

    int sockets() {
        return sockets;
    }

    int perSocket() {
        return perSocket;
    }

    /** G. */
    int gpus() {
        return gpus;
    }

    /** V. */
    int nodes() {
        return gpus + 2 * sockets + 1;
    }

    /** E. */
    int edges() {
        return 3 * gpus + 5 * sockets;
    }

    boolean isOf(int otherSockets, int otherPerSocket) {
        return sockets == otherSockets && perSocket == otherPerSocket;
    }

    /** V x E: one where the node hears the edge. */
    NDArray hears(NDManager scope) {
        return Tensors.copyOf(hears, new Shape(nodes(), edges()), scope);
    }

    /** E x 1 x KINDS: one at the edge's kind. */
    NDArray kinds(NDManager scope) {
        return Tensors.copyOf(kinds, new Shape(edges(), 1, KINDS), scope);
    }

    /**
     * V x M x H by node, which nobody needs any more, to E x M x H by the sender of each edge; {@code nvlink}, 1 x M x 1, is one where
     * there is NVLink.
     */
    NDArray senders(NDArray nodes, NDArray nvlink) {
        long count = nodes.getShape().get(1);
        long hidden = nodes.getShape().get(2);
        try (NDList parts = nodes.split(new long[] {gpus, gpus + sockets, gpus + 2L * sockets}, 0);
                NDArray overNvlink = parts.get(0).mul(nvlink);
                NDArray wide = parts.get(1).expandDims(1);
                NDArray spread = wide.broadcast(sockets, perSocket, count, hidden);
                NDArray down = spread.reshape(gpus, count, hidden);
                NDArray fromNic = parts.get(3).broadcast(sockets, count, hidden)) {
            NDArray gpu = parts.get(0);
            NDArray pcie = parts.get(1);
            NDArray socket = parts.get(2);
            return Tensors.along(overNvlink, gpu, pcie, socket, pcie, down, socket, fromNic);
        } finally {
            nodes.close();
        }
    }
}
