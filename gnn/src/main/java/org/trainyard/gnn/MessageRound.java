package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * The weights of one round of message passing, shared by all nodes of a level: {@code m_u = relu(M h_u)}, the same for
 * all hearers of a sender, {@code h_v' = relu(S h_v + N mean_u m_u)}.
 *
 * <p>There are no biases: the "exists" columns take their place, so that nodes that do not exist neither send nor
 * receive, without masks.
 */
public final class MessageRound {
    private final LinearLayer message;
    private final LinearLayer self;
    private final LinearLayer neighbours;

    public MessageRound(Parameters parameters, String name, int hidden) {
        message = LinearLayer.withoutBias(parameters, name + ".message", hidden, hidden);
        self = LinearLayer.withoutBias(parameters, name + ".self", hidden, hidden);
        neighbours = LinearLayer.withoutBias(parameters, name + ".heard", hidden, hidden);
    }

    /** The term of the senders, M h. */
    public NDArray fromNodes(NDArray nodes) {
        return message.apply(nodes);
    }

    /** The term of the means of messages, N m. */
    public NDArray heard(NDArray means) {
        return neighbours.apply(means);
    }

    /** The updated nodes, from their own states and the {@link #heard} term, which may be one for several nodes. */
    public NDArray update(NDArray nodes, NDArray heard) {
        NDArray own = self.apply(nodes);
        NDArray sum = own.add(heard);
        own.close();
        return Tensors.relu(sum);
    }

    /** {@link #fromNodes} as nodes of a graph. */
    public OnnxValue exportFromNodes(OnnxValue nodes) {
        return message.export(nodes);
    }

    /** {@link #heard} as nodes of a graph. */
    public OnnxValue exportHeard(OnnxValue means) {
        return neighbours.export(means);
    }

    /** {@link #update} as nodes of a graph. */
    public OnnxValue exportUpdate(OnnxValue nodes, OnnxValue heard) {
        return self.export(nodes).plus(heard).relu();
    }
}
