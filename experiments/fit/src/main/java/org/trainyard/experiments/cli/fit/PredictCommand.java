package org.trainyard.experiments.cli.fit;

import org.trainyard.experiments.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** Groups the subcommands that query fitted models. */
@Command(
        name = "predict",
        description = "Predict interference or run times with a fitted model.",
        subcommands = {PredictInterferenceCommand.class, PredictRuntimeCommand.class},
        synopsisSubcommandLabel = "WHAT",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard predict interference --model my-model --victim FSDP,4,2 --with MoE,4,2",
            "         trainyard predict runtime --model my-runtimes --user ann --group nightly --gpus 8"
        })
public final class PredictCommand extends CommandGroup {}
