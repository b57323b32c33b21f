package org.trainyard.gnn.cluster;

import ai.djl.ndarray.NDArray;
import org.trainyard.gnn.LayerNormLayer;
import org.trainyard.gnn.LinearLayer;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * A step of message passing from one level of a tree to the next, up or down, with a residual connection and layer
 * normalisation.
 */
final class LevelMessages {
    private final MessageRound round;
    private final LayerNormLayer norm;

    LevelMessages(Parameters parameters, String name, int hidden) {
        round = new MessageRound(parameters, name, hidden);
        norm = new LayerNormLayer(parameters, name + ".norm", hidden);
    }

    NDArray sent(NDArray senders) {
        return Tensors.relu(round.fromNodes(senders));
    }

    /** The term of the means of messages, which are closed, in the states of their hearers. */
    NDArray heard(NDArray means) {
        NDArray term = round.heard(means);
        means.close();
        return term;
    }

    /** The hearers' new states; {@code heard} has their shape or that of all of them in common. */
    NDArray update(NDArray hearers, NDArray heard) {
        return norm.apply(hearers.add(round.update(hearers, heard)));
    }

    /** {@link #sent} as nodes of a graph. */
    OnnxValue exportSent(OnnxValue senders) {
        return round.exportFromNodes(senders).relu();
    }

    /** {@link #heard} as nodes of a graph. */
    OnnxValue exportHeard(OnnxValue means) {
        return round.exportHeard(means);
    }

    /** {@link #update} as nodes of a graph. */
    OnnxValue exportUpdate(OnnxValue hearers, OnnxValue heard) {
        return norm.export(hearers.plus(round.exportUpdate(hearers, heard)));
    }

    /**
     * The weights of one round of message passing, shared by all nodes of a level: {@code m_u = relu(M h_u)}, the same
     * for all hearers of a sender, {@code h_v' = relu(S h_v + N mean_u m_u)}.
     *
     * <p>There are no biases: the "exists" columns take their place, so that nodes that do not exist neither send nor
     * receive, without masks.
     */
    private static final class MessageRound {
        private final LinearLayer message;
        private final LinearLayer self;
        private final LinearLayer neighbours;

        MessageRound(Parameters parameters, String name, int hidden) {
            message = LinearLayer.withoutBias(parameters, name + ".message", hidden, hidden);
            self = LinearLayer.withoutBias(parameters, name + ".self", hidden, hidden);
            neighbours = LinearLayer.withoutBias(parameters, name + ".heard", hidden, hidden);
        }

        /** The term of the senders, M h. */
        NDArray fromNodes(NDArray nodes) {
            return message.apply(nodes);
        }

        /** The term of the means of messages, N m. */
        NDArray heard(NDArray means) {
            return neighbours.apply(means);
        }

        /** The updated nodes, from their own states and the {@link #heard} term, which may be one for several nodes. */
        NDArray update(NDArray nodes, NDArray heard) {
            NDArray own = self.apply(nodes);
            NDArray sum = own.add(heard);
            own.close();
            return Tensors.relu(sum);
        }

        /** {@link #fromNodes} as nodes of a graph. */
        OnnxValue exportFromNodes(OnnxValue nodes) {
            return message.export(nodes);
        }

        /** {@link #heard} as nodes of a graph. */
        OnnxValue exportHeard(OnnxValue means) {
            return neighbours.export(means);
        }

        /** {@link #update} as nodes of a graph. */
        OnnxValue exportUpdate(OnnxValue nodes, OnnxValue heard) {
            return self.export(nodes).plus(heard).relu();
        }
    }
}
