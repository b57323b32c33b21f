package org.trainyard.gnn.cluster;

import ai.djl.ndarray.NDArray;
import org.trainyard.gnn.LayerNormLayer;
import org.trainyard.gnn.LinearLayer;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;
import org.trainyard.gnn.onnx.OnnxValue;

/** A round of messages between the GPUs of a set, over links with columns; see {@link GpuSetEncoder}. */
final class GpuMessages {
    private final LinearLayer message;
    private final LinearLayer link;
    private final LinearLayer self;
    private final LinearLayer neighbours;
    private final LayerNormLayer norm;

    GpuMessages(Parameters parameters, String name, int hidden) {
        message = LinearLayer.withoutBias(parameters, name + ".message", hidden, hidden);
        link = LinearLayer.of(parameters, name + ".link", LinkMatrix.COLUMNS, hidden);
        self = LinearLayer.withoutBias(parameters, name + ".self", hidden, hidden);
        neighbours = LinearLayer.withoutBias(parameters, name + ".heard", hidden, hidden);
        norm = new LayerNormLayer(parameters, name + ".norm", hidden);
    }

    /** The new states of sets of one size, {@code [sets, k, H]}, from those before and the links of pairs. */
    NDArray apply(NDArray states, NDArray links) {
        NDArray sent = Tensors.relu(link.apply(links).add(message.apply(states).expandDims(1)));
        NDArray heard = neighbours.apply(sent.mean(new int[] {2}));
        return norm.apply(states.add(Tensors.relu(self.apply(states).add(heard))));
    }

    /**
     * {@link #apply} as nodes of a graph, for sets of several sizes.
     *
     * @param states {@code [sets, n, H]}
     * @param links {@code [sets, n, n, COLUMNS]}
     * @param share by hearer, the part of a sender's message in the mean, {@code [sets, 1, n, 1]}
     */
    OnnxValue export(OnnxValue states, OnnxValue links, OnnxValue share) {
        OnnxValue sent = link.export(links)
                .plus(message.export(states).unsqueeze(1))
                .relu()
                .times(share);
        OnnxValue heard = neighbours.export(sent.sum(2).squeeze(2));
        return norm.export(states.plus(self.export(states).plus(heard).relu()));
    }
}
