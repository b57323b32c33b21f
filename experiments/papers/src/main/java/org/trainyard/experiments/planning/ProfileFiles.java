package org.trainyard.experiments.planning;

import java.nio.file.Files;
import java.nio.file.Path;
import org.trainyard.env.InputException;
import org.trainyard.env.pipeline.LayerGraphReader;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.LayerTable;
import org.trainyard.env.pipeline.ModelArchitectures;
import org.trainyard.experiments.config.yaml.Binder;
import org.trainyard.experiments.config.yaml.YamlReader;
import org.trainyard.experiments.io.InputFiles;

/** Finds layer profiles by the name of a model, or in a file. */
public final class ProfileFiles {
    private ProfileFiles() {}

    /**
     * The profile of a model that ships, or of a layer graph or layer table, the latter also in YAML; one of a file
     * is for a micro-batch of one unless it says otherwise.
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
}
