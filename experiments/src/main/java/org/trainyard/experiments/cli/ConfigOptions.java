package org.trainyard.experiments.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.io.InputFiles;
import picocli.CommandLine.Option;

/** How a subcommand is given an experiment. */
final class ConfigOptions {
    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Replace a value of the config, such as learner.updates=100; the value is YAML. Repeatable.")
    private List<String> overrides = List.of();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the run's files go (default: runs/ and the config's name).")
    private @Nullable String out;

    ExperimentConfig read(String file) {
        return read(file, List.of());
    }

    /** The same with further values replaced. */
    ExperimentConfig read(String file, List<String> more) {
        return ConfigReader.read(
                InputFiles.path(file),
                Stream.concat(overrides.stream(), more.stream()).toList());
    }

    List<String> overrides() {
        return overrides;
    }

    @Nullable String out() {
        return out;
    }

    /** The folder asked for, or {@code runs/NAME}. */
    Path folder(String name) {
        return out == null ? Path.of("runs").resolve(name) : InputFiles.path(out);
    }
}
