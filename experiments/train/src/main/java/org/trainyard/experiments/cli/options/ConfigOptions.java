package org.trainyard.experiments.cli.options;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.io.InputFiles;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of commands that read a config. */
public final class ConfigOptions {
    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description =
                    "Override a value of the config, such as learner.updates=100; the value is YAML. " + "Repeatable.")
    private List<String> overrides = List.of();

    @Mixin
    private CommonOption out = CommonOption.out(
            "Folder for the files of the run (default: runs/NAME; evaluate writes no files without it).");

    public ExperimentConfig read(String file) {
        return read(file, List.of());
    }

    /** The config with further overrides. */
    public ExperimentConfig read(String file, List<String> more) {
        return ConfigReader.read(
                InputFiles.path(file),
                Stream.concat(overrides.stream(), more.stream()).toList());
    }

    public List<String> overrides() {
        return overrides;
    }

    public @Nullable String out() {
        return out.value();
    }

    /** The folder asked for, or {@code runs/NAME}. */
    public Path folder(String name) {
        return out.path(InputFiles.path("runs").resolve(name));
    }
}
