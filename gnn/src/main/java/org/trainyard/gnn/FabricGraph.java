package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import org.trainyard.env.gym.observation.ObservationSpace;

/**
 * The data centre as N agents see it, as tensors: a tree of {@code C + 1} nodes, in order S servers, D domains, R leaf switches, Q
 * pods and the core. All but the core are children of one hub: a leaf switch, a pod or the core.
 *
 * @param count N
 * @param ends S + D, children that are no hubs
 * @param children C
 * @param links (N x C) x LINK, from every child up
 * @param up N x C x hubs, one at the hub above
 * @param down the same, N x hubs x C
 * @param share (N x (C + 1)) x 1: one by the number of neighbours
 * @param exists (N x (C + 1)) x 1
 */
record FabricGraph(
        long count, long ends, long children, NDArray links, NDArray up, NDArray down, NDArray share, NDArray exists) {

    static FabricGraph of(Sections rows) {
        Shape shape = rows.parents().getShape();
        int count = Math.toIntExact(shape.get(0));
        int children = Math.toIntExact(shape.get(1));
        int ends = Math.toIntExact(
                rows.servers().getShape().get(1) + rows.domains().getShape().get(1));
        int hubs = children - ends + 1;
        float[] up = new float[count * children * hubs];
        float[] share = new float[count * (children + 1)];
        float[] exist = new float[share.length];
        connect(rows.parents().toFloatArray(), children, up, share, exist);
        NDManager scope = rows.parents().getManager();
        NDArray upward = Tensors.copyOf(up, new Shape(count, children, hubs), scope);
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

    /** Fills the last three from the hubs that all rows' children hang on: plain loops, for nothing here hangs on weights. */
    private static void connect(float[] parents, int children, float[] up, float[] share, float[] exist) {
        int hubs = up.length / parents.length;
        int ends = children - hubs + 1;
        for (int child = 0; child < parents.length; child++) {
            int first = child / children * (children + 1);
            int node = first + child % children;
            int hub = (int) parents[child] - 1;
            exist[first + children] = 1;
            if (hub >= 0) {
                up[child * hubs + hub] = 1;
                exist[node] = 1;
                share[node]++;
                share[first + ends + hub]++;
            }
        }
        for (int node = 0; node < share.length; node++) {
            share[node] = exist[node] / Math.max(1, share[node]);
        }
    }
}
