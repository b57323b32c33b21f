package org.trainyard.experiments.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Asks fitted predictors: a subcommand for each kind. */
@Command(
        name = "predict",
        description = "Ask a fitted predictor.",
        subcommands = {PredictInterferenceCommand.class, PredictRuntimeCommand.class},
        synopsisSubcommandLabel = "WHAT",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard predict interference --model my-model --victim FSDP,4,2 --with MoE,4,2",
            "         trainyard predict runtime --model my-runtimes --user ann --group nightly --gpus 8"
        })
@SuppressWarnings("UnusedVariable") // The command line reads the options itself.
final class Predict implements Callable<Integer> {
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
