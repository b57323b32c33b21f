package org.trainyard.gnn.cluster;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import org.trainyard.gnn.Tensors;

/**
 * The tree over which {@link ClusterEncoder} passes messages: servers, then racks, then the core, numbered in this
 * order.
 */
public final class ClusterTree {
    private final int[] rackOf;
    private final int[] serversIn;

    /** @param rackOf by server, its rack; racks are numbered from 0 and none is empty */
    public ClusterTree(int[] rackOf) {
        this.rackOf = rackOf.clone();
        int racks = 0;
        for (int rack : rackOf) {
            racks = Math.max(racks, rack + 1);
        }
        serversIn = new int[racks];
        for (int rack : rackOf) {
            serversIn[rack]++;
        }
    }

    public int servers() {
        return rackOf.length;
    }

    public int racks() {
        return serversIn.length;
    }

    public int nodes() {
        return servers() + racks() + 1;
    }

    public int rackOf(int server) {
        return rackOf[server];
    }

    /** Whether it is a tree of the same servers in the same racks. */
    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof ClusterTree tree && Arrays.equals(rackOf, tree.rackOf));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(rackOf);
    }

    int serversIn(int rack) {
        return serversIn[rack];
    }

    /** The matrix that takes means over the servers of each rack, racks x servers. */
    NDArray means(NDManager scope) {
        float[] values = new float[racks() * servers()];
        for (int server = 0; server < servers(); server++) {
            values[rackOf[server] * servers() + server] = 1f / serversIn[rackOf[server]];
        }
        return Tensors.copyOf(values, new Shape(racks(), servers()), scope);
    }

    /** The matrix that hands what a rack has to each of its servers, servers x racks. */
    NDArray spread(NDManager scope) {
        float[] values = new float[servers() * racks()];
        for (int server = 0; server < servers(); server++) {
            values[server * racks() + rackOf[server]] = 1;
        }
        return Tensors.copyOf(values, new Shape(servers(), racks()), scope);
    }
}
