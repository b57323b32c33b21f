package org.trainyard.experiments.cli;

import org.trainyard.experiments.cli.fit.FitInterferenceCommand;
import org.trainyard.experiments.cli.fit.FitInteriorsCommand;
import org.trainyard.experiments.cli.fit.FitRuntimeCommand;
import org.trainyard.experiments.cli.options.Subcommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** A command that only has subcommands; without one it prints its help and fails. */
abstract class CommandGroup extends Subcommand {
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
    static final class Fit extends CommandGroup {}

    @Override
    protected final void run() {
        commandLine().usage(err());
        exitWith(CommandLine.ExitCode.USAGE);
    }
}
