package org.trainyard.agents.learned.policy;

import ai.djl.ndarray.NDArray;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.gnn.LinearLayer;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;

/**
 * Guesses what a joint state is worth to each agent, from the agent's context, the mean of the contexts of all agents that have a
 * choice, and the global columns. Serves in training only.
 */
final class CriticHead {
    private final LinearLayer critic;
    private final LinearLayer value;
    private final int hidden;

    CriticHead(Parameters parameters, int hidden) {
        this.hidden = hidden;
        critic = LinearLayer.of(parameters, "critic", 2 * hidden + ObservationSpace.GLOBAL, hidden);
        value = LinearLayer.of(parameters, "value", hidden, 1, 1, 0);
    }

    /** N x 1 x H contexts and N x 1 x GLOBAL columns of a batch to N values. */
    NDArray values(NDArray context, NDArray global, RowBatch.JointRows batch) {
        NDArray own = context.reshape(-1, hidden);
        NDArray all = batch.spread().matMul(batch.shares().matMul(own));
        NDArray seen = Tensors.beside(own, all, global.reshape(-1, ObservationSpace.GLOBAL));
        return value.apply(critic.applyRelu(seen)).reshape(-1);
    }
}
