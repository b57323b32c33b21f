package org.trainyard.experiments.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Fits predictors: a subcommand for each kind. */
@Command(
        name = "fit",
        description = "Fit a predictor, of interference or of run times, and say how wrong it is.",
        subcommands = {FitInterferenceCommand.class, FitRuntimeCommand.class},
        synopsisSubcommandLabel = "WHAT",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard fit interference --data shared_thp_ratio.csv --out my-model",
            "         trainyard fit runtime --data jobs.csv --out my-runtimes"
        })
@SuppressWarnings("UnusedVariable") // The command line reads the options itself.
final class Fit implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private Common common = new Common();

    @Override
    public Integer call() {
        if (spec != null) {
            spec.commandLine().usage(spec.commandLine().getErr());
        }
        return CommandLine.ExitCode.USAGE;
    }
}
