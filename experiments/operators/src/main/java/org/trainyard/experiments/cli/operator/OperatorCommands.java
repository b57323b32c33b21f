package org.trainyard.experiments.cli.operator;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.cli.options.CommandPlugin;
import org.trainyard.experiments.cli.options.HelpBlock;
import org.trainyard.experiments.cli.options.JsonOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.twin.Twin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands for those who run a cluster. */
public final class OperatorCommands implements CommandPlugin {
    @Override
    public List<Placed> commands() {
        return List.of(
                new Placed(HelpBlock.OPERATE, 10, AdviseCommand.class),
                new Placed(HelpBlock.OPERATE, 20, WhenCommand.class),
                new Placed(HelpBlock.OPERATE, 30, ShadowCommand.class),
                new Placed(HelpBlock.OPERATE, 40, DriveCommand.class),
                new Placed(HelpBlock.OPERATE, 50, TwinCommand.class));
    }

    /** Replays the scheduler of a real cluster. */
    @Command(
            name = "twin",
            description = {
                "Replay a real cluster's Slurm from its files, and compare the decisions.",
                "The folder has slurm.conf and sacct.txt (sacct -a -P -D), and optionally qos.txt and "
                        + "assoc.txt (sacctmgr -P show), gres.conf, and slurmctld.log with DebugFlags=Backfill; "
                        + "plain or gzipped."
            },
            footer = {"", "Example: trainyard twin logs/january"})
    static final class TwinCommand extends Subcommand {
        @Parameters(paramLabel = "FOLDER", description = "The files of the cluster.")
        private String folder = "";

        @Option(
                names = "--phases",
                paramLabel = "N",
                description = "Free runs with modelled cycles, each of another phase of the loops (default: 81, and of"
                        + " more than 300 jobs fewer, down to 9).")
        private @Nullable Integer phases;

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        protected void run() {
            if (phases != null) {
                InputException.within(1, 10_000, "--phases", phases);
            }
            Twin twin = Twin.of(InputFiles.path(folder), phases);
            out().print(json.isGiven() ? twin.json() : twin.answer().console());
        }
    }
}
