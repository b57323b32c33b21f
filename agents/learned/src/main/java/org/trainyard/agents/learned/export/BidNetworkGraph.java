package org.trainyard.agents.learned.export;

import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.gnn.onnx.OnnxGraph;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * A {@link BidNetwork} as nodes of a graph. Every bid takes the weights of its kind and is one product of a row and
 * a matrix, so that equal bids have equal scores, wherever they stand.
 */
final class BidNetworkGraph {
    private final int hidden;
    private final int width;
    private final float[] bias;
    private final float[] linear;
    private final float[] hiddenBias;
    private final float[] hiddenWeight;
    private final float[] out;

    /** Splits the weights, which lie kind by kind in the order of this constructor. */
    BidNetworkGraph(BidNetwork network) {
        hidden = network.hidden();
        width = BidColumn.COUNT + network.inputs();
        bias = new float[BidKind.COUNT];
        linear = new float[BidKind.COUNT * width];
        hiddenBias = new float[BidKind.COUNT * hidden];
        hiddenWeight = new float[BidKind.COUNT * width * hidden];
        out = new float[BidKind.COUNT * hidden];
        int at = 0;
        for (int kind = 0; kind < BidKind.COUNT; kind++) {
            for (float[] part : new float[][] {bias, linear, hiddenBias, hiddenWeight, out}) {
                int size = part.length / BidKind.COUNT;
                System.arraycopy(network.weights(), at, part, kind * size, size);
                at += size;
            }
        }
        if (at != network.weights().length) {
            throw new IllegalStateException(
                    "the network has (%d) weights, not (%d)".formatted(network.weights().length, at));
        }
    }

    /**
     * The scores of bids, {@code [bids]}.
     *
     * @param rows columns and further inputs, {@code [bids, width]}
     * @param kind of every bid, {@code [bids]}
     */
    OnnxValue scores(OnnxValue rows, OnnxValue kind) {
        OnnxGraph graph = rows.graph();
        OnnxValue row = rows.unsqueeze(1);
        OnnxValue units = row.matMul(graph.weights("bids.hidden.weight", hiddenWeight, BidKind.COUNT, width, hidden)
                        .gather(kind, 0))
                .plus(graph.weights("bids.hidden.bias", hiddenBias, BidKind.COUNT, 1, hidden)
                        .gather(kind, 0))
                .relu();
        OnnxValue ofUnits = units.matMul(
                graph.weights("bids.out.weight", out, BidKind.COUNT, hidden, 1).gather(kind, 0));
        OnnxValue ofColumns = row.matMul(graph.weights("bids.linear.weight", linear, BidKind.COUNT, width, 1)
                .gather(kind, 0));
        return ofColumns
                .plus(graph.weights("bids.bias", bias, BidKind.COUNT, 1, 1).gather(kind, 0))
                .plus(ofUnits)
                .reshape(-1);
    }
}
