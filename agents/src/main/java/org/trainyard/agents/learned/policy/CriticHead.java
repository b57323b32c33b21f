package org.trainyard.agents.learned.policy;

import ai.djl.ndarray.NDArray;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.gnn.LinearLayer;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;

/**
 * The central critic: the value of a joint state for each agent, from the agent's context, the mean context of all agents that have a
 * choice, and the global columns. Used in training only.
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

    /** Contexts, N x 1 x H, and global columns, N x 1 x GLOBAL, to N values. */
    NDArray values(NDArray context, NDArray global, RowBatch.JointRows batch) {
        NDArray own = context.reshape(-1, hidden);
        NDArray all = batch.spread().matMul(batch.shares().matMul(own));
        NDArray inputs = Tensors.beside(own, all, global.reshape(-1, ObservationSpace.GLOBAL));
        return value.apply(critic.applyRelu(inputs)).reshape(-1);
    }
}
