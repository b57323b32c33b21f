package org.trainyard.env.gym.auction;

import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * The whole data centre as a tree of nodes with {@link NodeColumn columns}: servers, then racks, then the core.
 * Pods are left out: what is special about them shows in the bandwidth of the racks' uplinks alone.
 *
 * <p>Rows are written anew when something happened or time has passed, and a node whose row is still the same keeps
 * its version. A row depends on the present state alone, not on when it was written.
 */
public final class ClusterGraph {
    private static final int COLUMNS = NodeColumn.COUNT;

    private final Topology topology;
    private final int servers;
    private final ServerRows serverRows;
    private final float[] bandwidth;
    private final float[] rows;
    private final float[] row = new float[COLUMNS];
    private final int[] versions;
    private long writtenNanos = -1;
    private long writtenVersion = -1;

    ClusterGraph(Topology topology) {
        this.topology = topology;
        servers = topology.servers();
        serverRows = new ServerRows(topology);
        int nodes = servers + topology.racks() + 1;
        rows = new float[nodes * COLUMNS];
        versions = new int[nodes];
        bandwidth = new float[nodes];
        double widest = 0;
        for (int server = 0; server < servers; server++) {
            widest = Math.max(widest, byGpu(server, topology.gpusOn(server)));
        }
        for (int server = 0; server < servers; server++) {
            bandwidth[server] = (float) Math.min(1, byGpu(server, topology.gpusOn(server)) / widest);
        }
        for (int rack = 0; rack < topology.racks(); rack++) {
            int gpus = 0;
            for (int i = 0; i < topology.serversIn(rack); i++) {
                gpus += topology.gpusOn(topology.firstServer(rack) + i);
            }
            bandwidth[servers + rack] =
                    (float) Math.min(1, byGpu(topology.links().rackLink(rack), gpus) / widest);
        }
        bandwidth[nodes - 1] = 1;
    }

    private double byGpu(int link, int gpus) {
        return topology.links().bytesPerSecond(link) / Math.max(1, gpus);
    }

    /** Writes the rows anew unless neither time has passed nor anything happened. */
    void update(SimView view, ClusterSummary summary) {
        if (view.nowNanos() == writtenNanos && view.version() == writtenVersion) {
            return;
        }
        writtenNanos = view.nowNanos();
        writtenVersion = view.version();
        serverRows.beginCluster();
        for (int rack = 0; rack < topology.racks(); rack++) {
            serverRows.beginRack();
            int first = topology.firstServer(rack);
            for (int server = first; server < first + topology.serversIn(rack); server++) {
                serverRows.write(view, server, row);
                put(server);
            }
            serverRows.writeRack(summary.gangsOnUplink(rack), row);
            put(servers + rack);
        }
        serverRows.writeCore(view, summary, row);
        put(versions.length - 1);
    }

    /** Takes over the row of a node, with a new version when it differs from the one before. */
    private void put(int node) {
        row[NodeColumn.BANDWIDTH.index()] = bandwidth[node];
        int at = node * COLUMNS;
        boolean isNew = versions[node] == 0;
        for (int c = 0; c < COLUMNS; c++) {
            isNew |= rows[at + c] != row[c];
            rows[at + c] = row[c];
        }
        versions[node] += isNew ? 1 : 0;
    }

    /** Number of nodes. */
    public int nodes() {
        return versions.length;
    }

    /** By server, its rack. */
    public int[] rackOf() {
        int[] rackOf = new int[servers];
        for (int server = 0; server < servers; server++) {
            rackOf[server] = topology.rackOf(server);
        }
        return rackOf;
    }

    /** The rows of all nodes, {@link NodeColumn#COUNT} columns each; overwritten by the next auction. */
    public float[] rows() {
        return rows;
    }

    /** By node, a number of its row that grows when the row changes; 0 before the first auction. */
    public int[] versions() {
        return versions;
    }
}
