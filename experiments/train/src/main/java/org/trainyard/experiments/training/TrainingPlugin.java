package org.trainyard.experiments.training;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.ServiceProviders;
import org.trainyard.env.binding.Yaml;
import org.trainyard.env.binding.YamlReader;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.RunDirectory;

/**
 * Training of a model other than a cluster policy, which {@code train} runs for configs with the plugin's own key. The
 * class is named in {@code META-INF/services/org.trainyard.experiments.training.TrainingPlugin}.
 */
public interface TrainingPlugin {
    /** The key at the top of such a config, which no experiment has. */
    String key();

    /** Reads a file and puts overrides, each {@code a.b=value}, into it. */
    Run read(Path file, List<String> overrides);

    /** A training, as a config describes it. */
    interface Run {
        /** The name of its folder. */
        String name();

        /** The config, as it is kept in the folder. */
        String yaml();

        /**
         * Trains to the end, with a state in {@link TrainingSession#trainer} after some updates and a summary at last.
         *
         * @param resume whether to go on from the state
         */
        void train(RunDirectory directory, boolean resume, PrintWriter out);
    }

    /** The plugin that trains the config of a file; null for the config of an experiment. */
    static @Nullable TrainingPlugin of(Path file) {
        if (!(YamlReader.read(file.toString(), InputFiles.text(file)) instanceof Yaml.Mapping mapping)) {
            return null;
        }
        return ServiceProviders.all(TrainingPlugin.class).stream()
                .filter(plugin -> mapping.entries().containsKey(plugin.key()))
                .findFirst()
                .orElse(null);
    }
}
