package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * One round of message passing at level 2, up and down the links of the data centre, with a residual connection and
 * layer normalisation.
 */
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
        NDArray bySwitches = sent.split(new long[] {graph.ends()}, 1).get(1);
        NDArray rising = Tensors.relu(byChildren.add(edges));
        NDArray falling = Tensors.relu(graph.up().batchMatMul(bySwitches).addi(edges));
        NDArray toSwitches = graph.down().batchMatMul(rising);
        NDArray means = sums(falling, toSwitches, graph).reshape(-1, hidden).muli(graph.share());
        return norm.apply(nodes.add(round.updateByMeans(nodes, means))).mul(graph.exists());
    }

    /** Sums of messages: from above for all nodes but the core, from below for switches. */
    private static NDArray sums(NDArray falling, NDArray toSwitches, FabricGraph graph) {
        long switchesBelowCore = graph.children() - graph.ends();
        NDList fromAbove = falling.split(new long[] {graph.ends()}, 1);
        NDList fromBelow = toSwitches.split(new long[] {switchesBelowCore}, 1);
        NDArray both = fromAbove.get(1).add(fromBelow.get(0));
        return fromAbove.get(0).getNDArrayInternal().concat(new NDList(both, fromBelow.get(1)), 1);
    }

    /** {@link #pass} as nodes of a graph, N x (C + 1) x H to the same. */
    OnnxValue export(OnnxValue nodes, FabricValues graph) {
        OnnxValue zero = nodes.graph().list(0);
        OnnxValue sent = round.exportFromNodes(nodes);
        OnnxValue edges = round.exportFromEdges(graph.links());
        OnnxValue rising = sent.slice(1, zero, graph.children()).plus(edges).relu();
        OnnxValue falling =
                graph.up().matMul(sent.from(1, graph.ends())).plus(edges).relu();
        OnnxValue toSwitches = graph.up().transposeEach().matMul(rising);
        OnnxValue both = falling.from(1, graph.ends()).plus(toSwitches.slice(1, zero, graph.switches()));
        OnnxValue sums = falling.slice(1, zero, graph.ends()).concat(1, both, toSwitches.from(1, graph.switches()));
        OnnxValue heard = round.exportHeard(sums.times(graph.share()));
        return norm.export(nodes.plus(round.exportUpdate(nodes, heard))).times(graph.exists());
    }
}
