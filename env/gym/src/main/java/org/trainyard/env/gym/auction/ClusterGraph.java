package org.trainyard.env.gym.auction;

import org.jgrapht.Graph;
import org.trainyard.env.scheduling.interruption.EvictionPlan;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.SwitchGraph;
import org.trainyard.env.topology.Topology;

/**
 * The whole data centre as a tree of nodes with {@link NodeColumn columns}: servers, then racks, then the core, which
 * stands for all that the {@link Topology#graph graph} of the topology has above the racks. What is special about pods
 * shows in the bandwidth of the racks' uplinks alone.
 *
 * <p>Rows are written anew when something happened or time has passed, and a node whose row is still the same keeps its
 * version. A row depends on the present state alone, not on when it was written.
 */
public final class ClusterGraph {
    private static final int COLUMNS = NodeColumn.COUNT;

    private final Topology topology;
    private final int servers;
    private final int[] rackOf;
    private final ServerRows serverRows;
    private final float[] bandwidth;
    private final float[] rows;
    private final float[] row = new float[COLUMNS];
    private final int[] versions;
    /** By server, the GPUs that are free. */
    private final long[] free;
    /** The set that stands for them. */
    private final long[] alike;

    private long writtenNanos = -1;
    private long writtenVersion = -1;

    ClusterGraph(Topology topology) {
        this.topology = topology;
        servers = topology.servers();
        serverRows = new ServerRows(topology);
        int nodes = servers + topology.racks() + 1;
        rows = new float[nodes * COLUMNS];
        versions = new int[nodes];
        free = new long[servers];
        alike = new long[servers];
        bandwidth = new float[nodes];
        rackOf = new int[servers];
        double widest = 0;
        double[] upwards = new double[nodes - 1];
        int[] gpus = new int[nodes - 1];
        Graph<Integer, SwitchGraph.Cable> graph = topology.graph();
        for (int server = 0; server < servers; server++) {
            SwitchGraph.Cable cards = graph.edgesOf(topology.wiring().switches() + server)
                    .iterator()
                    .next();
            int rack = cards.upper();
            rackOf[server] = rack;
            upwards[server] = cards.bytesPerSecond();
            gpus[server] = topology.gpusOn(server);
            gpus[servers + rack] += gpus[server];
            widest = Math.max(widest, upwards[server] / Math.max(1, gpus[server]));
        }
        for (int rack = 0; rack < topology.racks(); rack++) {
            for (SwitchGraph.Cable cable : graph.edgesOf(rack)) {
                upwards[servers + rack] += cable.lower() == rack ? cable.bytesPerSecond() : 0;
            }
        }
        for (int node = 0; node < nodes - 1; node++) {
            // The only rack has no uplinks.
            double upward = upwards[node] == 0 ? Double.POSITIVE_INFINITY : upwards[node];
            bandwidth[node] = (float) NodeColumn.BANDWIDTH.value(upward / Math.max(1, gpus[node]) / widest);
        }
        bandwidth[nodes - 1] = 1;
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
                free[server] = freeGpus(view.cluster(), server);
                long before = alike[server];
                alike[server] = alike(server, free[server]);
                put(server, alike[server] != before);
            }
            serverRows.writeRack(summary.gangsOnUplink(rack), row);
            put(servers + rack, false);
        }
        serverRows.writeCore(view, summary, row);
        put(versions.length - 1, false);
    }

    private long freeGpus(Cluster cluster, int server) {
        if (cluster.freeOn(server) == 0) {
            return 0;
        }
        int first = topology.firstGpu(server);
        long gpus = 0;
        for (int gpu = 0; gpu < topology.gpusOn(server); gpu++) {
            gpus |= cluster.owner(first + gpu) == Cluster.FREE ? 1L << gpu : 0;
        }
        return gpus;
    }

    /** The set of GPUs that stands for this one: where all sets of a size are alike, that of the first GPUs. */
    long alike(int server, long gpus) {
        if (gpus == 0 || !topology.inside().of(server).isUniform()) {
            return gpus;
        }
        return -1L >>> (Long.SIZE - Long.bitCount(gpus));
    }

    /** Says for every bid, but those for parts of GPUs, which GPUs it takes on its servers and which it leaves free. */
    void nameGpus(SimView view, Auction auction, PlacementBuilder builder) {
        BidServers lists = auction.servers();
        for (int bid = 0; bid < auction.size(); bid++) {
            EvictionPlan plan = auction.plan(bid);
            if (plan != null) {
                nameRoom(view, lists, lists.first(bid), plan);
            } else if (lists.end(bid) > lists.first(bid) && !view.cluster().isShared()) {
                builder.begin(view.job(auction.job(bid)).demand());
                for (int i = lists.first(bid); i < lists.end(bid); i++) {
                    int server = lists.server(i);
                    builder.take(server, auction.gpusOn(i), auction.gpuSet(i));
                    long taken = builder.takenOn(server);
                    lists.setGpus(i, alike(server, taken), alike(server, free[server] & ~taken));
                }
                builder.clear();
            }
        }
    }

    /** The job may choose among the GPUs of the victims and the free ones beside them. */
    private void nameRoom(SimView view, BidServers lists, int first, EvictionPlan plan) {
        int at = first;
        for (int v = 0; v < plan.size(); v++) {
            Placement placement = view.placement(plan.victim(v));
            for (int i = 0; i < placement.serverCount(); i++) {
                int server = placement.server(i);
                lists.setGpus(at++, alike(server, free[server] | placement.maskOn(i)), 0);
            }
        }
    }

    /** Takes over the row of a node, with a new version when it differs from the one before. */
    private void put(int node, boolean isOther) {
        row[NodeColumn.BANDWIDTH.index()] = bandwidth[node];
        int at = node * COLUMNS;
        boolean isNew = isOther || versions[node] == 0;
        for (int c = 0; c < COLUMNS; c++) {
            isNew |= rows[at + c] != row[c];
            rows[at + c] = row[c];
        }
        versions[node] += isNew ? 1 : 0;
    }

    public int nodes() {
        return versions.length;
    }

    /** By server, its rack. */
    public int[] rackOf() {
        return rackOf.clone();
    }

    /** By server, the links between its GPUs. */
    public ServerInterior interior(int server) {
        return topology.inside().of(server);
    }

    /**
     * The GPUs of a server that are free, a bit for each, counted within the server; where all sets of a size are
     * alike, as many of the first GPUs.
     */
    public long free(int server) {
        return alike[server];
    }

    /** The rows of all nodes, {@link NodeColumn#COUNT} columns each; overwritten by the next auction. */
    public float[] rows() {
        return rows;
    }

    /** By node, a number that grows when its row or its free GPUs change; 0 before the first auction. */
    public int[] versions() {
        return versions;
    }
}
