package org.trainyard.experiments.cli;

import picocli.CommandLine.Command;

/** Groups the subcommands that fit predictors. */
@Command(
        name = "fit",
        description = "Fit a predictor of interference or of run times and report its error.",
        subcommands = {FitInterferenceCommand.class, FitRuntimeCommand.class},
        synopsisSubcommandLabel = "WHAT",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard fit interference --data shared_thp_ratio.csv --out my-model",
            "         trainyard fit runtime --data jobs.csv --out my-runtimes"
        })
final class FitCommand extends CommandGroup {}
