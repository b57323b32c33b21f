package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import org.trainyard.env.gym.observation.ObservationSpace;

/** One round of messages at level 2, up and down the links of the data centre. Residual, then normalised. */
final class FabricRound {
    private final MessageRound round;
    private final LayerNormLayer norm;

    FabricRound(Parameters parameters, String name, int hidden) {
        round = new MessageRound(parameters, name, hidden, ObservationSpace.LINK);
        norm = new LayerNormLayer(parameters, name + ".norm", hidden);
    }

    /** (N x (C + 1)) x H to the same. */
    NDArray pass(NDArray nodes, FabricGraph graph) {
        long hidden = nodes.getShape().get(1);
        NDArray sent = round.fromNodes(nodes).reshape(graph.count(), -1, hidden);
        NDArray edges = round.fromEdges(graph.links()).reshape(graph.count(), -1, hidden);
        NDArray byChildren = sent.split(new long[] {graph.children()}, 1).get(0);
        NDArray byHubs = sent.split(new long[] {graph.ends()}, 1).get(1);
        NDArray rising = Tensors.relu(byChildren.add(edges));
        NDArray falling = Tensors.relu(graph.up().batchMatMul(byHubs).addi(edges));
        NDArray toHubs = graph.down().batchMatMul(rising);
        NDArray means = sums(falling, toHubs, graph).reshape(-1, hidden).muli(graph.share());
        return norm.apply(nodes.add(round.update(nodes, means))).mul(graph.exists());
    }

    /** What comes from above, for all but the core, and what comes from below, for hubs. */
    private static NDArray sums(NDArray falling, NDArray toHubs, FabricGraph graph) {
        long hubsBelowCore = graph.children() - graph.ends();
        NDList fromAbove = falling.split(new long[] {graph.ends()}, 1);
        NDList fromBelow = toHubs.split(new long[] {hubsBelowCore}, 1);
        NDArray both = fromAbove.get(1).add(fromBelow.get(0));
        return fromAbove.get(0).getNDArrayInternal().concat(new NDList(both, fromBelow.get(1)), 1);
    }
}
