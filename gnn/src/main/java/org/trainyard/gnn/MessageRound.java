package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;

/**
 * The weights of one round of messages over edges with features, shared by all nodes and edges of a level:
 * {@code m_uv = relu(M h_u + E e_uv)}, {@code h_v' = relu(S h_v + N mean_u m_uv)}.
 *
 * <p>There are no biases: the columns that say that a thing is there stand in for them, so that what is not there says and hears
 * nothing without being masked.
 */
final class MessageRound {
    private final LinearLayer message;
    private final LinearLayer edge;
    private final LinearLayer self;
    private final LinearLayer heard;

    MessageRound(Parameters parameters, String name, int hidden, int edgeColumns) {
        message = LinearLayer.withoutBias(parameters, name + ".message", hidden, hidden);
        edge = LinearLayer.withoutBias(parameters, name + ".edge", edgeColumns, hidden);
        self = LinearLayer.withoutBias(parameters, name + ".self", hidden, hidden);
        heard = LinearLayer.withoutBias(parameters, name + ".heard", hidden, hidden);
    }

    /** What nodes put into all messages they send. */
    NDArray fromNodes(NDArray nodes) {
        return message.apply(nodes);
    }

    /** What edges put into the messages that pass them. */
    NDArray fromEdges(NDArray edges) {
        return edge.apply(edges);
    }

    /** The messages: what nodes put into them, which nobody needs any more, and edges too. */
    NDArray messages(NDArray sent, NDArray edges) {
        NDArray messages = Tensors.relu(edge.applyPlus(edges, sent));
        sent.close();
        return messages;
    }

    /** The nodes after they have heard the means of their messages, which nobody needs any more. */
    NDArray update(NDArray nodes, NDArray means) {
        NDArray own = self.apply(nodes);
        NDArray next = Tensors.relu(heard.applyPlus(means, own));
        own.close();
        means.close();
        return next;
    }
}
