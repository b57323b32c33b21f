package org.trainyard.agents.learned.dqn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.AbstractBlock;
import ai.djl.training.ParameterStore;
import ai.djl.translate.Batchifier;
import ai.djl.util.PairList;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.policy.RowBatch;
import org.trainyard.env.gym.observation.ObservationSpace;

/**
 * The Q network as DJL's {@code QAgent} calls it: one block with the parameters of two policy networks, online and target.
 *
 * <p>The Q value of an action is the critic's value less the difference between the actor's score of the best legal action and that of
 * this one: a dueling network joined by the maximum (Z. Wang et al.: Dueling network architectures for deep reinforcement learning, ICML
 * 2016, equation 8). So the value is the Q value of the best action however many are legal, and the actor alone says which one is best.
 *
 * <p>{@code QAgent} computes the Q values of the action taken and of the actions at the next state in one pass of one block, while the
 * latter are a target through which no gradient may flow. So in training the online network reads the first row and the target network
 * the second.
 */
final class QNetworkBlock extends AbstractBlock {
    private final PolicyNetwork online;
    private final PolicyNetwork target;
    private final ObservationSpace spec;

    /** Both networks stay the caller's. */
    QNetworkBlock(PolicyNetwork online, PolicyNetwork target, ObservationSpace spec) {
        this.online = online;
        this.target = target;
        this.spec = spec;
    }

    /**
     * Joins the inputs of {@code QAgent}, one per action, to: one row per observation, K x spec.size(); the discount at each, K; and the
     * one-hot actions, N x A. The first action belongs to the first row, the others to the last.
     */
    static final class Rows implements Batchifier {
        private static final long serialVersionUID = 1;

        @Override
        public NDList batchify(NDList[] inputs) {
            NDList rows = new NDList(inputs[0].get(0));
            NDList discounts = new NDList(inputs[0].get(1));
            NDList actions = new NDList(inputs.length);
            if (inputs.length > 1
                    && !inputs[1].get(0).getUid().equals(inputs[0].get(0).getUid())) {
                rows.add(inputs[1].get(0));
                discounts.add(inputs[1].get(1));
            }
            for (NDList input : inputs) {
                actions.add(input.get(2));
            }
            return new NDList(NDArrays.stack(rows), NDArrays.stack(discounts), NDArrays.stack(actions));
        }

        @Override
        public NDList[] unbatchify(NDList inputs) {
            throw new UnsupportedOperationException("only batches are made");
        }
    }

    @Override
    protected NDList forwardInternal(
            ParameterStore parameters, NDList inputs, boolean training, PairList<String, Object> options) {
        NDArray rows = inputs.get(0);
        NDArray discounts = inputs.get(1);
        NDArray actions = inputs.get(2);
        if (rows.getShape().get(0) == 1) {
            return new NDList(qValues(online, rows, actions).mul(discounts).expandDims(1));
        }
        NDArray taken = qValues(online, rows.get(new NDIndex("0:1")), actions.get(new NDIndex("0:1")));
        NDArray next =
                qValues(training ? target : online, rows.get(new NDIndex("1:2")), actions.get(new NDIndex("1:")));
        return new NDList(taken.concat(next.mul(discounts.get(1))).expandDims(1));
    }

    private NDArray qValues(PolicyNetwork network, NDArray row, NDArray actions) {
        NDArray alone = row.getManager().ones(new Shape(1, 1));
        PolicyNetwork.Output output = network.forward(new RowBatch.JointRows(row, alone, alone, spec));
        NDArray scores = output.logProbabilities();
        NDArray chosen = scores.mul(actions).sum(new int[] {1});
        return chosen.sub(scores.max(new int[] {1})).add(output.values());
    }

    @Override
    public Shape[] getOutputShapes(Shape[] inputs) {
        return new Shape[] {new Shape(inputs[2].get(0), 1)};
    }
}
