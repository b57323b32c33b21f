package org.trainyard.gnn.cluster;

import ai.djl.ndarray.NDArray;
import org.trainyard.gnn.LayerNormLayer;
import org.trainyard.gnn.MessageRound;
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

    /** The messages of the senders. */
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
}
