package org.trainyard.experiments.cli.fit;

import org.trainyard.experiments.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** Groups the subcommands that fit predictors to data. */
@Command(
        name = "fit",
        description = "Fit a predictor of interference, of run times or of bandwidths inside servers.",
        subcommands = {FitInterferenceCommand.class, FitRuntimeCommand.class, FitInteriorsCommand.class},
        synopsisSubcommandLabel = "WHAT",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard fit interference --data shared_thp_ratio.csv --out my-model",
            "         trainyard fit runtime --data jobs.csv --out my-runtimes"
        })
public final class FitCommand extends CommandGroup {}
