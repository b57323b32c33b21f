package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The graph inside a server of K sockets of P GPUs each; made once per shape.
 *
 * <p>V nodes, in order: K x P GPUs, K PCIe switches, K sockets, one NIC. E edges, in order, by their sender: NVLink
 * ports (a GPU to all others), PCIe up (GPU to switch), roots up (switch to socket), UPI ports (a socket to all
 * others), NIC slots up (switch to NIC), then PCIe, roots and NIC slots down. An NVLink or UPI port sends one
 * message to all its receivers, because the edge features are those of the port.
 *
 * <p>Assumed, because {@code ServerSpec} says no more: one PCIe switch per socket, and NICs on all switches.
 */
final class ServerAdjacency {
    /** NVLink, PCIe (roots too), UPI, NIC slot. */
    static final int KINDS = 4;

    private static final int NVLINK = 0;
    private static final int PCIE = 1;
    private static final int UPI = 2;
    private static final int NIC = 3;

    private final int sockets;
    private final int perSocket;
    private final int gpus;
    private final float[] incidence;
    private final int[] kinds;
    private final int[][] receivers;
    private int edge;

    ServerAdjacency(int sockets, int perSocket) {
        this.sockets = sockets;
        this.perSocket = perSocket;
        gpus = sockets * perSocket;
        incidence = new float[nodes() * edges()];
        kinds = new int[edges()];
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
        receivers = new int[edges()][];
        Arrays.setAll(
                receivers,
                e -> IntStream.range(0, nodes())
                        .filter(v -> incidence[v * edges() + e] != 0)
                        .toArray());
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

    private void connect(int receiver, boolean receives) {
        incidence[receiver * edges() + edge] = receives ? 1 : 0;
    }

    private void next(int kind) {
        kinds[edge++] = kind;
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

    /** Incidence matrix, V x E: one where the node receives the messages of the edge. */
    NDArray incidence(NDManager scope) {
        return Tensors.copyOf(incidence, new Shape(nodes(), edges()), scope);
    }

    /** The kind of an edge, 0 .. KINDS - 1. */
    int kind(int ofEdge) {
        return kinds[ofEdge];
    }

    /** The receivers of an edge. */
    int[] receivers(int ofEdge) {
        return receivers[ofEdge];
    }

    /**
     * Gathers node states, (V x M) x H, which are closed, by the sender of each edge, (E x M) x H.
     *
     * @param nvlink 1 x M x 1, one where a server has NVLink; null when all have
     */
    NDArray senders(NDArray nodes, @Nullable NDArray nvlink) {
        long count = nodes.getShape().get(0) / nodes();
        long hidden = nodes.getShape().get(1);
        long[] cuts = {gpus * count, (gpus + sockets) * count, (gpus + 2L * sockets) * count};
        try (NDList parts = nodes.split(cuts, 0)) {
            NDArray gpu = parts.get(0);
            NDArray pcie = parts.get(1);
            NDArray socket = parts.get(2);
            NDArray down = pcie.reshape(sockets, 1, count, hidden)
                    .broadcast(sockets, perSocket, count, hidden)
                    .reshape(gpus * count, hidden);
            NDList all = new NDList(gpu, pcie, socket, pcie, down, socket);
            for (int k = 0; k < sockets; k++) {
                all.add(parts.get(3));
            }
            NDArray overNvlink = nvlink == null
                    ? gpu
                    : gpu.reshape(gpus, count, hidden).mul(nvlink).reshape(gpus * count, hidden);
            return overNvlink.getNDArrayInternal().concat(all, 0);
        } finally {
            nodes.close();
        }
    }
}
