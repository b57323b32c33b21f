package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import org.trainyard.env.gym.observation.ObservationSpace;

/**
 * The data centre as N agents observe it: a tree of {@code C + 1} nodes, in order S servers, D domains, R leaf
 * switches, Q pods and the core. Every node but the core is the child of one switch: a leaf switch, a pod or the
 * core.
 *
 * @param count N
 * @param ends S + D, the leaves of the tree
 * @param children C
 * @param links edge features, (N x C) x LINK, of the link from every child up
 * @param up adjacency, N x C x switches, one at the child's parent
 * @param down its transpose, N x switches x C
 * @param share (N x (C + 1)) x 1: one over the number of neighbours
 * @param exists (N x (C + 1)) x 1: whether the node exists
 */
record FabricGraph(
        long count, long ends, long children, NDArray links, NDArray up, NDArray down, NDArray share, NDArray exists) {

    static FabricGraph of(Sections rows) {
        Shape shape = rows.parents().getShape();
        int count = Math.toIntExact(shape.get(0));
        int children = Math.toIntExact(shape.get(1));
        int ends = Math.toIntExact(
                rows.servers().getShape().get(1) + rows.domains().getShape().get(1));
        int switches = children - ends + 1;
        float[] up = new float[count * children * switches];
        float[] share = new float[count * (children + 1)];
        float[] exist = new float[share.length];
        connect(rows.parents().toFloatArray(), children, up, share, exist);
        NDManager scope = rows.parents().getManager();
        NDArray upward = Tensors.copyOf(up, new Shape(count, children, switches), scope);
        return new FabricGraph(
                count,
                ends,
                children,
                rows.links().reshape(-1, ObservationSpace.LINK),
                upward,
                upward.transpose(0, 2, 1),
                Tensors.copyOf(share, new Shape(share.length, 1), scope),
                Tensors.copyOf(exist, new Shape(exist.length, 1), scope));
    }

    /** Fills the last three from the parent of every child. Plain loops, because no gradient passes here. */
    private static void connect(float[] parents, int children, float[] up, float[] share, float[] exist) {
        int switches = up.length / parents.length;
        int ends = children - switches + 1;
        for (int child = 0; child < parents.length; child++) {
            int first = child / children * (children + 1);
            int node = first + child % children;
            int parent = (int) parents[child] - 1;
            exist[first + children] = 1;
            if (parent >= 0) {
                up[child * switches + parent] = 1;
                exist[node] = 1;
                share[node]++;
                share[first + ends + parent]++;
            }
        }
        for (int node = 0; node < share.length; node++) {
            share[node] = exist[node] / Math.max(1, share[node]);
        }
    }
}
