package org.trainyard.agents.learned.ppo;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.bids.BidLayout;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;

/** The network of bids in tensors: the scores of {@link BidNetwork#score} for many bids at once, with gradients. */
final class BidTensors {
    /** Arrays of weights of a kind: bias, linear, hidden biases, hidden, output. */
    private static final int PARTS = 5;

    private final int hidden;
    private final int inputs;
    private final int width;
    private final NDArray weights;
    private final long[] borders;

    /** Creates the weights, one vector in the order of {@link BidLayout}. */
    BidTensors(Parameters parameters, BidNetwork network) {
        BidLayout layout = network.layout();
        hidden = network.hidden();
        inputs = network.inputs();
        width = layout.width();
        weights = parameters.vector("bids", layout.size(), 0);
        borders = new long[BidKind.COUNT * PARTS - 1];
        for (int kind = 0; kind < BidKind.COUNT; kind++) {
            int at = kind * PARTS;
            if (kind > 0) {
                borders[at - 1] = layout.biasAt(kind);
            }
            borders[at] = layout.linearAt(kind);
            borders[at + 1] = layout.hiddenBiasAt(kind);
            borders[at + 2] = layout.hiddenAt(kind);
            borders[at + 3] = layout.outAt(kind);
        }
    }

    /**
     * The scores of all bids, {@code [bids]}.
     *
     * @param further the bids' further inputs, {@code [bids, inputs]}; null where they have none
     */
    NDArray scores(Minibatch batch, @Nullable NDArray further, NDManager scope) {
        NDList parts = weights.split(borders, 0);
        parts.attach(scope);
        NDList scores = new NDList();
        for (int kind = 0; kind < BidKind.COUNT; kind++) {
            if (batch.count(kind) > 0) {
                scores.add(scores(batch, kind, parts, further, scope));
            }
        }
        // The engine's concatenation of a single tensor has no gradient.
        return (scores.size() == 1 ? scores.get(0) : NDArrays.concat(scores)).reshape(-1);
    }

    private NDArray scores(Minibatch batch, int kind, NDList parts, @Nullable NDArray further, NDManager scope) {
        int at = kind * PARTS;
        NDArray linear = parts.get(at + 1).reshape(width, 1);
        NDArray all = parts.get(at + 3).reshape(width, hidden).concat(linear, 1);
        NDArray columns = batch.columns(kind, scope);
        NDArray sums;
        if (further == null) {
            sums = columns.matMul(all);
        } else {
            int from = batch.first(kind);
            NDArray own = further.get("%d:%d".formatted(from, from + batch.count(kind)));
            NDList halves = all.split(new long[] {width - inputs}, 0);
            sums = columns.matMul(halves.get(0)).add(own.matMul(halves.get(1)));
        }
        NDList units = sums.add(parts.get(at + 2).concat(parts.get(at), 0)).split(new long[] {hidden}, 1);
        return Tensors.relu(units.get(0))
                .matMul(parts.get(at + 4).reshape(hidden, 1))
                .add(units.get(1));
    }
}
