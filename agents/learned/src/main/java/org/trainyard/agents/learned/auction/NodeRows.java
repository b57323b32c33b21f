package org.trainyard.agents.learned.auction;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.inside.ServerSets;
import org.trainyard.env.gym.auction.ClusterGraph;
import org.trainyard.env.gym.auction.NodeColumn;
import org.trainyard.gnn.cluster.ClusterTree;
import org.trainyard.gnn.cluster.LinkMatrix;

/**
 * The rows of all nodes and the free GPUs of all servers at the auctions of an episode. A row is kept once for all
 * auctions at which it was the same.
 */
final class NodeRows {
    private static final int COLUMNS = NodeColumn.COUNT;

    private @Nullable ClusterTree tree;
    private LinkMatrix[] links = {};
    private int auctions;
    /** By auction and node, the number of the row. */
    private int[] rowOf = new int[0];

    private int[] version = new int[0];
    private int[] latest = new int[0];
    private int stored;
    private float[] rows = new float[1024 * COLUMNS];
    /** By number of a row, the free GPUs of its server. */
    private long[] free = new long[1024];

    /** By number of a row, a node that had it. */
    private int[] nodeOf = new int[1024];

    /** Begins an episode. */
    void begin(ClusterGraph graph) {
        if (tree == null || tree.nodes() != graph.nodes()) {
            tree = new ClusterTree(graph.rackOf());
            links = ServerSets.links(graph);
        }
        auctions = 0;
        stored = 0;
        version = new int[graph.nodes()];
        latest = new int[graph.nodes()];
    }

    /** Adds the rows of the next auction. */
    void add(ClusterGraph graph) {
        int nodes = version.length;
        if (rowOf.length < (auctions + 1) * nodes) {
            rowOf = Arrays.copyOf(rowOf, Math.max(1024, 2 * auctions) * nodes);
        }
        int[] versions = graph.versions();
        for (int node = 0; node < nodes; node++) {
            if (version[node] != versions[node]) {
                version[node] = versions[node];
                latest[node] = store(graph.rows(), node, node < links.length ? graph.free(node) : 0);
            }
        }
        System.arraycopy(latest, 0, rowOf, auctions * nodes, nodes);
        auctions++;
    }

    private int store(float[] from, int node, long freeGpus) {
        if (rows.length < (stored + 1) * COLUMNS) {
            rows = Arrays.copyOf(rows, 2 * rows.length);
            free = Arrays.copyOf(free, 2 * free.length);
            nodeOf = Arrays.copyOf(nodeOf, 2 * nodeOf.length);
        }
        free[stored] = freeGpus;
        nodeOf[stored] = node;
        System.arraycopy(from, node * COLUMNS, rows, stored * COLUMNS, COLUMNS);
        return stored++;
    }

    /** By auction and node, the number of its row. */
    int[] rowOf() {
        return rowOf;
    }

    /** A node that had a row. */
    int node(int row) {
        return nodeOf[row];
    }

    /** The rows, {@link NodeColumn#COUNT} columns each. */
    float[] values() {
        return rows;
    }

    /** The free GPUs of the server of a row, 0 of a rack's or the core's. */
    long free(int row) {
        return free[row];
    }

    /** The links in the server of a row; null of a rack's or the core's. */
    @Nullable LinkMatrix links(int row) {
        return nodeOf[row] < links.length ? links[nodeOf[row]] : null;
    }

    /** By server, its links; equal ones are the same object. */
    LinkMatrix[] links() {
        return links;
    }

    /** The tree of the nodes. */
    ClusterTree tree() {
        if (tree == null) {
            throw new IllegalStateException("no rows of nodes were recorded");
        }
        return tree;
    }

    /** Rows that are kept. */
    int stored() {
        return stored;
    }
}
