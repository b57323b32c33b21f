package org.trainyard.experiments.planning;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.trainyard.env.InputException;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.binding.Binder;
import org.trainyard.env.binding.YamlReader;
import org.trainyard.env.pipeline.Layer;
import org.trainyard.env.pipeline.LayerGraphReader;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.LayerTable;
import org.trainyard.env.pipeline.ModelArchitectures;
import org.trainyard.experiments.io.InputFiles;

/** Finds layer profiles by the name of a model, or in a file. */
public final class ProfileFiles {
    private ProfileFiles() {}

    /**
     * The profile of a model that ships, or of a layer graph or layer table, the latter also in YAML; one of a file is
     * for a micro-batch of one unless it says otherwise.
     */
    public static LayerProfile read(String name) {
        LayerProfile shipped = ModelArchitectures.find(name);
        Path path = InputFiles.path(name);
        if (shipped != null) {
            return shipped;
        }
        if (!Files.exists(path)) {
            throw InputException.at(
                    "profile", name, "one of %s, or a file".formatted(String.join(", ", ModelArchitectures.names())));
        }
        String text = InputFiles.text(path);
        String file = String.valueOf(path.getFileName());
        int dot = file.lastIndexOf('.');
        String model = dot > 0 ? file.substring(0, dot) : file;
        if (file.endsWith(".yaml") || file.endsWith(".yml")) {
            return Binder.bind(YamlReader.read(name, text), LayerFile.class).profile(model);
        }
        if (LayerGraphReader.isOne(text)) {
            return LayerGraphReader.read(name, model, text, 1);
        }
        return LayerTable.read(name, model, text);
    }

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
}
