package org.trainyard.agents.learned.ppo;

import java.util.Arrays;
import java.util.IdentityHashMap;
import org.trainyard.agents.learned.inside.ServerSets;
import org.trainyard.env.gym.auction.ClusterGraph;
import org.trainyard.env.gym.auction.NodeColumn;
import org.trainyard.gnn.cluster.ClusterTree;
import org.trainyard.gnn.cluster.LinkMatrix;

/**
 * The rows of all nodes and the free GPUs of all servers at the auctions of an episode, of one graph or, where agents
 * decide apart, of one for each agent. A row is kept once for all auctions at which it was the same.
 */
final class NodeRows {
    private static final int COLUMNS = NodeColumn.COUNT;

    /** A graph whose rows are recorded: its tree, the links of its servers, and by node the row that was kept last. */
    private static final class Seen {
        final ClusterTree tree;
        final LinkMatrix[] links;
        final int[] version;
        final int[] latest;

        Seen(ClusterGraph graph) {
            tree = new ClusterTree(graph.rackOf());
            links = ServerSets.links(graph);
            version = new int[graph.nodes()];
            latest = new int[graph.nodes()];
        }
    }

    private final IdentityHashMap<ClusterGraph, Seen> seen = new IdentityHashMap<>();
    private int auctions;
    /** By auction, its graph, and where the numbers of the rows of its nodes begin. */
    private Seen[] graphOf = new Seen[64];

    private int[] firstOf = new int[64];
    private int[] rowOf = new int[1024];
    private int listed;
    private int stored;
    private float[] rows = new float[1024 * COLUMNS];
    /** By number of a row, the free GPUs of its server. */
    private long[] free = new long[1024];

    /** Forgets all rows. */
    void clear() {
        seen.clear();
        auctions = 0;
        listed = 0;
        stored = 0;
    }

    /** Adds the rows of the next auction. */
    void add(ClusterGraph graph) {
        Seen own = seen.computeIfAbsent(graph, Seen::new);
        int nodes = own.version.length;
        if (auctions == graphOf.length) {
            graphOf = Arrays.copyOf(graphOf, 2 * auctions);
            firstOf = Arrays.copyOf(firstOf, 2 * auctions);
        }
        while (rowOf.length < listed + nodes) {
            rowOf = Arrays.copyOf(rowOf, 2 * rowOf.length);
        }
        int[] versions = graph.versions();
        for (int node = 0; node < nodes; node++) {
            if (own.version[node] != versions[node]) {
                own.version[node] = versions[node];
                own.latest[node] = store(graph.rows(), node, node < own.links.length ? graph.free(node) : 0);
            }
        }
        System.arraycopy(own.latest, 0, rowOf, listed, nodes);
        graphOf[auctions] = own;
        firstOf[auctions++] = listed;
        listed += nodes;
    }

    private int store(float[] from, int node, long freeGpus) {
        if (rows.length < (stored + 1) * COLUMNS) {
            rows = Arrays.copyOf(rows, 2 * rows.length);
            free = Arrays.copyOf(free, 2 * free.length);
        }
        free[stored] = freeGpus;
        System.arraycopy(from, node * COLUMNS, rows, stored * COLUMNS, COLUMNS);
        return stored++;
    }

    ClusterTree tree(int auction) {
        return graphOf[auction].tree;
    }

    /** The links of a server at an auction; equal ones are the same object. */
    LinkMatrix links(int auction, int server) {
        return graphOf[auction].links[server];
    }

    int row(int auction, int node) {
        return rowOf[firstOf[auction] + node];
    }

    /** The rows, {@link NodeColumn#COUNT} columns each. */
    float[] values() {
        return rows;
    }

    /** The free GPUs of the server of a row, 0 of a rack's or the core's. */
    long free(int row) {
        return free[row];
    }

    /** Rows that are kept. */
    int stored() {
        return stored;
    }
}
