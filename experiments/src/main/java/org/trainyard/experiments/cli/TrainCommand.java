package org.trainyard.experiments.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.config.ExperimentConfig;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Trains a policy. */
@Command(
        name = "train",
        description = "Train a policy and keep its best checkpoint.",
        sortOptions = false,
        footer = {"", "Example: trainyard train experiments/configs/quickstart.yaml --set learner.updates=100"})
final class TrainCommand implements Callable<Integer> {
    @Parameters(paramLabel = "CONFIG", description = "The experiment, a YAML file.")
    private @Nullable String config;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--resume", description = "Go on from the run's last checkpoint.")
    private boolean resume;

    @Mixin
    private Common common = new Common();

    @Override
    public Integer call() {
        ExperimentConfig experiment = options.read(String.valueOf(config));
        common.out().println("%s is valid; training is not in this version".formatted(experiment.name()));
        return resume ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }
}
