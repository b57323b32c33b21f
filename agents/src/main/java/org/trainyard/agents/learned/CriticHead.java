package org.trainyard.agents.learned;

import ai.djl.ndarray.NDArray;
import org.trainyard.env.gym.ObservationSpec;
import org.trainyard.gnn.Dense;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;

/**
 * Guesses what a joint state is worth to each agent, from the agent's context, the mean of the contexts of all agents that have a
 * choice, and the global columns. Serves in training only.
 */
final class CriticHead {
    private final Dense critic;
    private final Dense value;
    private final int hidden;

    CriticHead(Parameters parameters, int hidden) {
        this.hidden = hidden;
        critic = Dense.of(parameters, "critic", 2 * hidden + ObservationSpec.GLOBAL, hidden);
        value = Dense.of(parameters, "value", hidden, 1, 1, 0);
    }

    /** N x 1 x H contexts and N x 1 x GLOBAL columns of a batch to N values. */
    NDArray values(NDArray context, NDArray global, RowBatch.JointRows batch) {
        NDArray own = context.reshape(-1, hidden);
        NDArray all = batch.spread().matMul(batch.shares().matMul(own));
        NDArray seen = Tensors.beside(own, all, global.reshape(-1, ObservationSpec.GLOBAL));
        return value.apply(critic.applyRelu(seen)).reshape(-1);
    }
}
