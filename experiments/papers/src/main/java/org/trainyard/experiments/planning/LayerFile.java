package org.trainyard.experiments.planning;

import java.util.List;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.pipeline.Layer;
import org.trainyard.env.pipeline.LayerProfile;

/**
 * A layer profile in YAML.
 *
 * @param microBatch samples in one micro-batch
 * @param layers in the order of the forward pass
 */
record LayerFile(int microBatch, List<LayerRow> layers) {
    LayerFile {
        InvalidFieldException.atLeast(1, "microBatch", microBatch);
        layers = List.copyOf(layers);
        if (layers.stream().allMatch(layer -> layer.forwardMs() + layer.backwardMs() == 0)) {
            throw new InvalidFieldException("layers", layers, "at least one layer with a time above zero");
        }
    }

    /** One layer; MB are millions of bytes. */
    record LayerRow(String layer, double forwardMs, double backwardMs, double activationMb, double parameterMb) {
        LayerRow {
            InvalidFieldException.atLeast(0, "forwardMs", forwardMs);
            InvalidFieldException.atLeast(0, "backwardMs", backwardMs);
            InvalidFieldException.atLeast(0, "activationMb", activationMb);
            InvalidFieldException.atLeast(0, "parameterMb", parameterMb);
        }

        Layer profiled() {
            return new Layer(layer, forwardMs / 1e3, backwardMs / 1e3, activationMb * 1e6, parameterMb * 1e6);
        }
    }

    LayerProfile profile(String name) {
        return new LayerProfile(
                name, microBatch, layers.stream().map(LayerRow::profiled).toList());
    }
}
