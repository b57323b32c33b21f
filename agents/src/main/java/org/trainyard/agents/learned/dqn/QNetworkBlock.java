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
 * What actions are worth, as DJL's {@code QAgent} asks for it: a block whose parameters are those of two policy networks.
 *
 * <p>The worth of an action is the critic's value less how far the actor scores it below the best one on offer: a dueling network joined by
 * the maximum (Z. Wang et al.: Dueling network architectures for deep reinforcement learning, ICML 2016, equation 8). So the value is that
 * of the best action however many are on offer, and which is best says the actor alone.
 *
 * <p>{@code QAgent} asks one block in one pass for the worth of what was done and of what can be done next, and the latter is a target
 * that must not move with the former. So in training the first row is read by the network that learns, and the second by the target network,
 * through which no gradient flows.
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
     * Joins a row for every action, as {@code QAgent} gives them, to: one row of every observation, K x spec.size(); what is left of
     * a unit of pay at each, K; and the actions, N x A. The first action is of the first row, the others of the last.
     */
    static final class Rows implements Batchifier {
        private static final long serialVersionUID = 1;

        @Override
        public NDList batchify(NDList[] inputs) {
            NDList rows = new NDList(inputs[0].get(0));
            NDList left = new NDList(inputs[0].get(1));
            NDList actions = new NDList(inputs.length);
            if (inputs.length > 1
                    && !inputs[1].get(0).getUid().equals(inputs[0].get(0).getUid())) {
                rows.add(inputs[1].get(0));
                left.add(inputs[1].get(1));
            }
            for (NDList input : inputs) {
                actions.add(input.get(2));
            }
            return new NDList(NDArrays.stack(rows), NDArrays.stack(left), NDArrays.stack(actions));
        }

        @Override
        public NDList[] unbatchify(NDList inputs) {
            throw new UnsupportedOperationException("rows are not taken apart again");
        }
    }

    @Override
    protected NDList forwardInternal(
            ParameterStore parameters, NDList inputs, boolean training, PairList<String, Object> options) {
        NDArray rows = inputs.get(0);
        NDArray left = inputs.get(1);
        NDArray actions = inputs.get(2);
        if (rows.getShape().get(0) == 1) {
            return new NDList(worth(online, rows, actions).mul(left).expandDims(1));
        }
        NDArray done = worth(online, rows.get(new NDIndex("0:1")), actions.get(new NDIndex("0:1")));
        NDArray next = worth(training ? target : online, rows.get(new NDIndex("1:2")), actions.get(new NDIndex("1:")));
        return new NDList(done.concat(next.mul(left.get(1))).expandDims(1));
    }

    private NDArray worth(PolicyNetwork network, NDArray row, NDArray actions) {
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
