package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * The weights of one round of message passing over edges with features, shared by all nodes and edges of a level:
 * {@code m_uv = relu(M h_u + E e_uv)}, {@code h_v' = relu(S h_v + N mean_u m_uv)}.
 *
 * <p>There are no biases: the "exists" columns take their place, so that nodes that do not exist neither send nor
 * receive, without masks.
 */
public final class MessageRound {
    private final int hidden;
    private final LinearLayer message;
    private final @Nullable LinearLayer edge;
    private final LinearLayer self;
    private final LinearLayer neighbours;

    MessageRound(Parameters parameters, String name, int hidden, int edgeColumns) {
        this.hidden = hidden;
        message = LinearLayer.withoutBias(parameters, name + ".message", hidden, hidden);
        edge = edgeColumns == 0 ? null : LinearLayer.withoutBias(parameters, name + ".edge", edgeColumns, hidden);
        self = LinearLayer.withoutBias(parameters, name + ".self", hidden, hidden);
        neighbours = LinearLayer.withoutBias(parameters, name + ".heard", hidden, hidden);
    }

    /** A round over edges without features: {@code m_uv = relu(M h_u)}, the same for all hearers of a sender. */
    public static MessageRound withoutEdges(Parameters parameters, String name, int hidden) {
        return new MessageRound(parameters, name, hidden, 0);
    }

    /** Size of a node's state. */
    int hidden() {
        return hidden;
    }

    private LinearLayer edge() {
        return Objects.requireNonNull(edge, "a round over edges with features");
    }

    /** The term of the senders, M h. */
    public NDArray fromNodes(NDArray nodes) {
        return message.apply(nodes);
    }

    /** The term of the edges, E e. */
    NDArray fromEdges(NDArray edges) {
        return edge().apply(edges);
    }

    /** The messages, from the senders' term per edge, which is closed, and the edge features. */
    NDArray messages(NDArray sent, NDArray edges) {
        NDArray messages = Tensors.relu(edge().applyPlus(edges, sent));
        sent.close();
        return messages;
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

    /** The updated nodes, from their own states and the means of their messages; closes the means. */
    NDArray updateByMeans(NDArray nodes, NDArray means) {
        NDArray own = self.apply(nodes);
        NDArray next = Tensors.relu(neighbours.applyPlus(means, own));
        own.close();
        means.close();
        return next;
    }

    /** {@link #fromNodes} as nodes of a graph. */
    public OnnxValue exportFromNodes(OnnxValue nodes) {
        return message.export(nodes);
    }

    /** {@link #fromEdges} as nodes of a graph. */
    OnnxValue exportFromEdges(OnnxValue edges) {
        return edge().export(edges);
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
