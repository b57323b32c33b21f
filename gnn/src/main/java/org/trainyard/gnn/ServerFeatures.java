package org.trainyard.gnn;

import java.util.Arrays;
import org.trainyard.env.gym.observation.GpuColumn;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.gym.observation.ServerColumn;

/**
 * The columns of M servers sorted by the nodes and edges they are of: the arrays behind {@link ServerGraph}, in its order. Nothing
 * here hangs on weights, so these are plain loops, O(M x E); as operations on tensors they are some forty small ones.
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

    private final ServerAdjacency wiring;
    private final int count;
    // Of the server at hand: an eighth of the sums over sockets, nodes that there are, edges that each hears.
    private final float[] sums;
    private final float[] there;
    private final float[] heard;
    // The next one of the server at hand.
    private int edge;

    ServerFeatures(float[] columns, int count, ServerAdjacency wiring) {
        this.wiring = wiring;
        this.count = count;
        gpus = new float[wiring.gpus() * count * OWN];
        sockets = new float[wiring.sockets() * count * OWN];
        servers = new float[count * SERVER];
        edges = new float[wiring.edges() * count * WIDTH];
        nvlink = new float[count];
        shareOfEach = new float[wiring.nodes() * count];
        shareOfNode = new float[count];
        sums = new float[wiring.sockets() * GPU];
        there = new float[wiring.nodes()];
        heard = new float[wiring.nodes()];
        int width = wiring.gpus() * GPU + SERVER;
        for (int m = 0; m < count; m++) {
            nodes(columns, m * width, m);
            edges(columns, m * width, m);
            shares(m);
        }
    }

    /** Whether there is NVLink in all servers that there are. */
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
        for (int g = 0; g < wiring.gpus(); g++) {
            int gpu = at + g * GPU;
            System.arraycopy(from, gpu, gpus, (g * count + m) * OWN, OWN);
            there[g] = from[gpu + IS_GPU];
            int sum = g / wiring.perSocket() * GPU;
            for (int c = 0; c < GPU; c++) {
                sums[sum + c] += EIGHTH * from[gpu + c];
            }
        }
        for (int k = 0; k < wiring.sockets(); k++) {
            System.arraycopy(sums, k * GPU, sockets, (k * count + m) * OWN, OWN);
            float is = Math.signum(sums[k * GPU + IS_GPU]);
            there[wiring.gpus() + k] = is;
            there[wiring.gpus() + wiring.sockets() + k] = is;
        }
        int server = at + wiring.gpus() * GPU;
        System.arraycopy(from, server, servers, m * SERVER, SERVER);
        there[wiring.nodes() - 1] = from[server + IS_SERVER];
        nvlink[m] = from[server + NVLINK];
    }

    private void edges(float[] from, int at, int m) {
        int server = at + wiring.gpus() * GPU;
        Arrays.fill(heard, 0);
        edge = 0;
        for (int g = 0; g < wiring.gpus(); g++) {
            connect(m, nvlink[m] * there[g], nvlink[m], from, at + g * GPU + NVLINK_OF_GPU);
        }
        pcie(from, at, m);
        for (int k = 0; k < wiring.sockets(); k++) {
            float is = there[wiring.gpus() + k];
            connect(m, Math.signum(is * from[server + UPI]), is, from, server + UPI);
        }
        slots(from, server, m);
        pcie(from, at, m);
        slots(from, server, m);
    }

    private void pcie(float[] from, int at, int m) {
        for (int g = 0; g < wiring.gpus(); g++) {
            connect(m, there[g], 1, from, at + g * GPU + PCIE);
        }
        for (int k = 0; k < wiring.sockets(); k++) {
            connect(m, there[wiring.gpus() + k], 1, sums, k * GPU + PCIE);
        }
    }

    private void slots(float[] from, int server, int m) {
        for (int k = 0; k < wiring.sockets(); k++) {
            float is = there[wiring.gpus() + k];
            connect(m, is, is, from, server + NIC);
        }
    }

    /** The next edge: whether there is one, and its two features times {@code factor}. */
    private void connect(int m, float is, float factor, float[] from, int at) {
        int to = (edge * count + m) * WIDTH;
        edges[to + wiring.kind(edge)] = is;
        edges[to + ServerAdjacency.KINDS] = factor * from[at];
        edges[to + ServerAdjacency.KINDS + 1] = factor * from[at + 1];
        for (int receiver : wiring.receivers(edge)) {
            heard[receiver] += is;
        }
        edge++;
    }

    private void shares(int m) {
        float nodes = 0;
        for (int v = 0; v < there.length; v++) {
            shareOfEach[v * count + m] = there[v] / Math.max(1, heard[v]);
            nodes += there[v];
        }
        shareOfNode[m] = 1 / Math.max(1, nodes);
    }
}
