package org.trainyard.experiments.papers.cli;

import java.nio.file.Path;
import java.util.List;
import org.trainyard.experiments.cli.options.ConfigOptions;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.FolderLock;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.ClaimTable;
import org.trainyard.experiments.papers.marl.MarlStudy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Repeats the experiments of multi-agent scheduling with graph networks and an interference model. */
@Command(
        name = "marl",
        description = "Train several agents that own servers and forward jobs, and compare them with the baselines of"
                + " arXiv 2112.13354 and without each of its ideas. Goes on with what the folder has.",
        sortOptions = false,
        footer = {"", "Example: trainyard reproduce marl --quick"})
public final class ReproduceMarlCommand extends Subcommand {

    @Option(names = "--quick", description = "One seed in place of five: a quarter of an hour on two cores.")
    private boolean quick;

    @Option(names = "--json", description = "Print one JSON array of rows.")
    private boolean json;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Override
    protected void run() {
        Path config =
                Path.of(System.getProperty("trainyard.root", "."), "experiments", "configs", "papers", "marl.yaml");
        Path folder = options.folder(quick ? "marl-quick" : "marl");
        FolderLock.during(folder, () -> {
            List<ClaimRow> rows = new MarlStudy(config, quick, options.overrides(), folder).run();
            AtomicFiles.write(folder.resolve("claims.json"), ClaimTable.json(rows));
            AtomicFiles.write(folder.resolve("claims.md"), ClaimTable.markdown(rows));
            if (json) {
                out().println(ClaimTable.json(rows));
                return;
            }
            ClaimTable.print(rows, out());
        });
    }
}
