package org.trainyard.gnn;

import java.util.Arrays;
import org.trainyard.env.gym.observation.GpuColumn;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.gym.observation.ServerColumn;

/**
 * Node and edge features of M servers: the arrays behind {@link ServerGraph}, in its order, from the columns of the
 * rows. No gradient passes here, so these are plain loops, O(M x E); as tensor operations they would be some forty
 * small ones.
 */
final class ServerFeatures {
    private static final int GPU = ObservationSpace.GPU;
    private static final int SERVER = ObservationSpace.SERVER;
    private static final int OWN = ServerGraph.GPU_COLUMNS;
    private static final int WIDTH = ServerGraph.EDGE_COLUMNS;
    private static final int IS_GPU = GpuColumn.PRESENT.index();
    private static final int NVLINK_OF_GPU = GpuColumn.NVLINK_BANDWIDTH.index();
    private static final int PCIE = GpuColumn.PCIE_BANDWIDTH.index();
    private static final int IS_SERVER = ServerColumn.PRESENT.index();
    private static final int NVLINK = ServerColumn.NVLINK.index();
    private static final int UPI = ServerColumn.UPI_BANDWIDTH.index();
    private static final int NIC = ServerColumn.NIC_BANDWIDTH.index();
    private static final float EIGHTH = 1f / 8;

    final float[] gpus;
    final float[] sockets;
    final float[] servers;
    final float[] edges;
    final float[] nvlink;
    final float[] shareOfEach;
    final float[] shareOfNode;

    private final ServerAdjacency adjacency;
    private final int count;
    // Of the current server: an eighth of the sums over sockets, whether each node exists, edges that each node
    // receives from.
    private final float[] sums;
    private final float[] exists;
    private final float[] received;
    // The next edge of the current server.
    private int edge;

    ServerFeatures(float[] columns, int count, ServerAdjacency adjacency) {
        this.adjacency = adjacency;
        this.count = count;
        gpus = new float[adjacency.gpus() * count * OWN];
        sockets = new float[adjacency.sockets() * count * OWN];
        servers = new float[count * SERVER];
        edges = new float[adjacency.edges() * count * WIDTH];
        nvlink = new float[count];
        shareOfEach = new float[adjacency.nodes() * count];
        shareOfNode = new float[count];
        sums = new float[adjacency.sockets() * GPU];
        exists = new float[adjacency.nodes()];
        received = new float[adjacency.nodes()];
        int width = adjacency.gpus() * GPU + SERVER;
        for (int m = 0; m < count; m++) {
            nodes(columns, m * width, m);
            edges(columns, m * width, m);
            shares(m);
        }
    }

    /** Whether all servers that exist have NVLink. */
    boolean isNvlinkEverywhere() {
        for (int m = 0; m < count; m++) {
            if (servers[m * SERVER + IS_SERVER] != 0 && nvlink[m] != 1) {
                return false;
            }
        }
        return true;
    }

    private void nodes(float[] from, int at, int m) {
        Arrays.fill(sums, 0);
        for (int g = 0; g < adjacency.gpus(); g++) {
            int gpu = at + g * GPU;
            System.arraycopy(from, gpu, gpus, (g * count + m) * OWN, OWN);
            exists[g] = from[gpu + IS_GPU];
            int sum = g / adjacency.perSocket() * GPU;
            for (int c = 0; c < GPU; c++) {
                sums[sum + c] += EIGHTH * from[gpu + c];
            }
        }
        for (int k = 0; k < adjacency.sockets(); k++) {
            System.arraycopy(sums, k * GPU, sockets, (k * count + m) * OWN, OWN);
            float is = Math.signum(sums[k * GPU + IS_GPU]);
            exists[adjacency.gpus() + k] = is;
            exists[adjacency.gpus() + adjacency.sockets() + k] = is;
        }
        int server = at + adjacency.gpus() * GPU;
        System.arraycopy(from, server, servers, m * SERVER, SERVER);
        exists[adjacency.nodes() - 1] = from[server + IS_SERVER];
        nvlink[m] = from[server + NVLINK];
    }

    private void edges(float[] from, int at, int m) {
        int server = at + adjacency.gpus() * GPU;
        Arrays.fill(received, 0);
        edge = 0;
        for (int g = 0; g < adjacency.gpus(); g++) {
            connect(m, nvlink[m] * exists[g], nvlink[m], from, at + g * GPU + NVLINK_OF_GPU);
        }
        pcie(from, at, m);
        for (int k = 0; k < adjacency.sockets(); k++) {
            float is = exists[adjacency.gpus() + k];
            connect(m, Math.signum(is * from[server + UPI]), is, from, server + UPI);
        }
        slots(from, server, m);
        pcie(from, at, m);
        slots(from, server, m);
    }

    private void pcie(float[] from, int at, int m) {
        for (int g = 0; g < adjacency.gpus(); g++) {
            connect(m, exists[g], 1, from, at + g * GPU + PCIE);
        }
        for (int k = 0; k < adjacency.sockets(); k++) {
            connect(m, exists[adjacency.gpus() + k], 1, sums, k * GPU + PCIE);
        }
    }

    private void slots(float[] from, int server, int m) {
        for (int k = 0; k < adjacency.sockets(); k++) {
            float is = exists[adjacency.gpus() + k];
            connect(m, is, is, from, server + NIC);
        }
    }

    /** Writes the next edge: whether it exists, and its two features times {@code factor}. */
    private void connect(int m, float is, float factor, float[] from, int at) {
        int to = (edge * count + m) * WIDTH;
        edges[to + adjacency.kind(edge)] = is;
        edges[to + ServerAdjacency.KINDS] = factor * from[at];
        edges[to + ServerAdjacency.KINDS + 1] = factor * from[at + 1];
        for (int receiver : adjacency.receivers(edge)) {
            received[receiver] += is;
        }
        edge++;
    }

    private void shares(int m) {
        float nodes = 0;
        for (int v = 0; v < exists.length; v++) {
            shareOfEach[v * count + m] = exists[v] / Math.max(1, received[v]);
            nodes += exists[v];
        }
        shareOfNode[m] = 1 / Math.max(1, nodes);
    }
}
