package org.trainyard.experiments.cli.fit;

import java.util.List;
import org.trainyard.experiments.cli.options.CommandGroup;
import org.trainyard.experiments.cli.options.CommandPlugin;
import org.trainyard.experiments.cli.options.HelpBlock;
import picocli.CommandLine.Command;

/** The commands that fit predictors to data, and that predict. */
public final class FitCommands implements CommandPlugin {
    @Override
    public List<Placed> commands() {
        return List.of(
                new Placed(HelpBlock.TRAIN, 30, FitCommand.class),
                new Placed(HelpBlock.TRAIN, 40, PredictCommand.class));
    }

    /** Groups the subcommands that fit predictors to data. */
    @Command(
            name = "fit",
            description = "Fit a predictor of interference, run times or intra-node bandwidths.",
            subcommands = {FitInterferenceCommand.class, FitRuntimeCommand.class, FitInteriorsCommand.class},
            synopsisSubcommandLabel = "WHAT",
            footer = {
                "",
                "Example: trainyard fit interference --data shared_thp_ratio.csv --out my-model",
                "         trainyard fit runtime --data jobs.csv --out my-runtimes"
            })
    static final class FitCommand extends CommandGroup {}

    /** Groups the subcommands that query fitted models. */
    @Command(
            name = "predict",
            description = "Predict interference or run times with a fitted model.",
            subcommands = {PredictInterferenceCommand.class, PredictRuntimeCommand.class},
            synopsisSubcommandLabel = "WHAT",
            footer = {
                "",
                "Example: trainyard predict interference --model my-model --victim FSDP,4,2 --with MoE,4,2",
                "         trainyard predict runtime --model my-runtimes --user ann --group nightly --gpus 8"
            })
    static final class PredictCommand extends CommandGroup {}
}
