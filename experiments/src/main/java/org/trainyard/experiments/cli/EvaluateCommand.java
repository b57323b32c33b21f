package org.trainyard.experiments.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.ExperimentConfig;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares schedulers, and a trained policy if there is one, on the test episodes of an experiment. */
@Command(
        name = "evaluate",
        description = "Compare schedulers, and a trained policy if there is one, on an experiment's test episodes.",
        sortOptions = false,
        footer = {"", "Example: trainyard evaluate experiments/configs/quickstart.yaml --schedulers fifo,sjf,las"})
final class EvaluateCommand implements Callable<Integer> {
    @Parameters(paramLabel = "CONFIG", arity = "0..1", description = "The experiment, a YAML file.")
    private @Nullable String config;

    @Option(
            names = "--checkpoint",
            paramLabel = "DIR",
            description =
                    "A checkpoint: its policy competes, in the experiment it was trained for unless CONFIG is given.")
    private @Nullable String checkpoint;

    @Option(
            names = "--schedulers",
            paramLabel = "NAME",
            split = ",",
            description = "Schedulers to compare instead of the config's.")
    private List<String> schedulers = List.of();

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Mixin
    private Common common = new Common();

    @Override
    public Integer call() {
        if (config == null && checkpoint == null) {
            throw new InputException("evaluate: expected a CONFIG, or --checkpoint DIR, or both");
        }
        if (config != null) {
            ExperimentConfig experiment = options.read(config);
            common.out().println("%s is valid; evaluation is not in this version".formatted(experiment.name()));
        }
        return schedulers.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}
