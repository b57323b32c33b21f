package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;

/**
 * The data centre as N agents see it, as tensors: a tree of {@code C + 1} nodes, in order S servers, D domains, R leaf switches, Q
 * pods and the core. All but the core are children of one hub: a leaf switch, a pod or the core.
 *
 * @param ends S + D, children that are no hubs
 * @param children C
 * @param links N x C x LINK, from every child up
 * @param up N x C x hubs, one at the hub above
 * @param down the same, N x hubs x C
 * @param share N x (C + 1) x 1: one by the number of neighbours
 * @param exists N x (C + 1) x 1
 */
record FabricGraph(long ends, long children, NDArray links, NDArray up, NDArray down, NDArray share, NDArray exists) {

    static FabricGraph of(Sections rows) {
        NDArray parents = rows.parents();
        long count = parents.getShape().get(0);
        long children = parents.getShape().get(1);
        long ends = rows.servers().getShape().get(1) + rows.domains().getShape().get(1);
        int hubs = Math.toIntExact(children - ends + 1);
        NDManager scope = parents.getManager();
        NDArray numbers = scope.arange(1, hubs + 1, 1, DataType.FLOAT32);
        NDArray up = parents.reshape(count, children, 1)
                .eq(numbers.reshape(1, 1, hubs))
                .toType(DataType.FLOAT32, false);
        NDArray above = up.sum(new int[] {2}, true);
        NDArray below = up.sum(new int[] {1}).reshape(count, hubs, 1);
        NDArray exists = above.concat(scope.ones(new Shape(count, 1, 1)), 1);
        NDArray downward = scope.zeros(new Shape(count, ends, 1)).concat(below, 1);
        NDArray upward = above.concat(scope.zeros(new Shape(count, 1, 1)), 1);
        NDArray share = exists.div(upward.add(downward).maximum(1));
        return new FabricGraph(ends, children, rows.links(), up, up.transpose(0, 2, 1), share, exists);
    }
}
