package org.trainyard.experiments.cli;

import picocli.CommandLine.Command;

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
final class PredictCommand extends CommandGroup {}
