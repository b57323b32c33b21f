package org.trainyard.agents.learned.dqn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.AbstractBlock;
import ai.djl.nn.Activation;
import ai.djl.training.ParameterStore;
import ai.djl.util.PairList;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.gnn.Parameters;

/**
 * The Q values of bids as DJL's {@code QAgent} asks for them: one block, and beside its weights those of the target.
 *
 * <p>The Q value of a bid is a value of the state plus the score of the bid by a {@link BidNetwork}, a dueling network
 * joined by the sum (Z. Wang et al.: Dueling network architectures for deep reinforcement learning, ICML 2016, equation
 * 7). So the greedy policy needs the bids alone.
 */
final class BidQNetwork extends AbstractBlock {
    private static final String BIDS = "bids";
    private static final int COLUMNS = BidColumn.COUNT;
    private static final int KINDS = BidKind.COUNT;

    private final int hidden;
    private final Parameters online;
    private final Parameters target;

    /** Begins with the weights of a network of bids, and with values 0. */
    BidQNetwork(BidNetwork bids, long seed) {
        hidden = bids.hidden();
        online = create(bids, seed);
        target = create(bids, seed);
        updateTarget();
    }

    private Parameters create(BidNetwork bids, long seed) {
        Parameters made = new Parameters(seed);
        made.vector(BIDS, bids.weights().length, 0);
        made.matrix("value.hidden", hidden, AuctionSnapshot.STATE, 1);
        made.vector("value.hidden_bias", hidden, 0);
        made.vector("value.out", hidden, 0);
        made.vector("value.linear", AuctionSnapshot.STATE, 0);
        made.vector("value.bias", 1, 0);
        float[] values = made.values();
        System.arraycopy(bids.weights(), 0, values, 0, bids.weights().length);
        made.setValues(values);
        return made;
    }

    Parameters online() {
        return online;
    }

    Parameters target() {
        return target;
    }

    /** Copies the online weights to the target. */
    void updateTarget() {
        target.setValues(online.values());
        stopTargetGradients();
    }

    void stopTargetGradients() {
        target.all().forEach(parameter -> parameter.setRequiresGradient(false));
    }

    /** Writes the weights of the bids into a network. */
    void exportTo(BidNetwork bids) {
        float[] learned = online.get(BIDS).toFloatArray();
        System.arraycopy(learned, 0, bids.weights(), 0, learned.length);
    }

    @Override
    protected NDList forwardInternal(
            ParameterStore parameters, NDList inputs, boolean training, PairList<String, Object> options) {
        NDArray qValues = qValues(online, inputs.get(0), inputs.get(2));
        return new NDList(qValues.mul(inputs.get(1)).expandDims(1));
    }

    /** The Q values of bids, a row each of {@code states} and {@code rows}. */
    NDArray qValues(Parameters weights, NDArray states, NDArray rows) {
        return values(weights, states).add(scores(weights.get(BIDS), rows));
    }

    private static NDArray values(Parameters weights, NDArray states) {
        NDArray units = Activation.relu(
                states.matMul(weights.get("value.hidden").transpose()).add(weights.get("value.hidden_bias")));
        return units.mul(weights.get("value.out"))
                .sum(new int[] {1})
                .add(states.mul(weights.get("value.linear")).sum(new int[] {1}))
                .add(weights.get("value.bias"));
    }

    /** Scores of a {@link BidNetwork}, for all kinds at once; weights lie as there. */
    private NDArray scores(NDArray weights, NDArray rows) {
        NDArray byKind = weights.reshape(KINDS, weights.size() / KINDS);
        NDArray columns = rows.get(new NDIndex(":, :{}", COLUMNS));
        NDArray kinds = rows.get(new NDIndex(":, {}:", COLUMNS));
        int at = 1 + COLUMNS;
        NDArray bias = byKind.get(new NDIndex(":, 0"));
        NDArray linear = byKind.get(new NDIndex(":, 1:{}", at));
        NDArray hiddenBias =
                byKind.get(new NDIndex(":, {}:{}", at, at + hidden)).reshape(1, -1);
        at += hidden;
        NDArray inner = byKind.get(new NDIndex(":, {}:{}", at, at + COLUMNS * hidden))
                .reshape(KINDS, COLUMNS, hidden)
                .transpose(1, 0, 2)
                .reshape(COLUMNS, -1);
        at += COLUMNS * hidden;
        NDArray out = byKind.get(new NDIndex(":, {}:", at)).reshape(1, KINDS, hidden);
        NDArray units = Activation.relu(columns.matMul(inner).add(hiddenBias));
        NDArray scores = units.reshape(-1, KINDS, hidden)
                .mul(out)
                .sum(new int[] {2})
                .add(columns.matMul(linear.transpose()))
                .add(bias);
        return scores.mul(kinds).sum(new int[] {1});
    }

    @Override
    public Shape[] getOutputShapes(Shape[] inputs) {
        return new Shape[] {new Shape(inputs[2].get(0), 1)};
    }

    void free() {
        online.close();
        target.close();
    }
}
