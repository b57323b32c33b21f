package org.trainyard.experiments.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.trainyard.experiments.cli.options.ConfigOptions;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.config.yaml.ConfigWriter;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.FolderLock;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.papers.sjfbco.SjfBcoConfig;
import org.trainyard.experiments.papers.sjfbco.SjfBcoExperiment;
import org.trainyard.experiments.papers.sjfbco.SjfBcoReport;
import org.trainyard.experiments.papers.sjfbco.SjfBcoRow;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Repeats the experiments of the SJF-BCO paper on many random batches. */
@Command(
        name = "sjf-bco-batches",
        description = "Repeat the 160-job experiments of SJF-BCO (MobiHoc 2022) on many random batches.",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard reproduce sjf-bco-batches experiments/configs/papers/sjf-bco.yaml --set batches=30"
        })
final class ReproduceSjfBcoCommand extends Subcommand {
    @Parameters(paramLabel = "CONFIG", description = "Experiment, a YAML file.")
    private String config = "";

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Override
    protected void run() {
        SjfBcoConfig settings = SjfBcoConfig.read(InputFiles.path(config), options.overrides());
        Path folder = options.folder(settings.name());
        List<SjfBcoRow> rows = new SjfBcoExperiment(settings).run();
        print(settings, rows);
        FolderLock.during(folder, () -> write(settings, rows, folder));
    }

    private void write(SjfBcoConfig settings, List<SjfBcoRow> rows, Path folder) {
        AtomicFiles.write(folder.resolve("config.yaml"), ConfigWriter.yaml(settings));
        AtomicFiles.write(folder.resolve("runs.csv"), SjfBcoReport.csv(rows));
        Path table = folder.resolve("table.md");
        AtomicFiles.write(table, SjfBcoReport.markdown(rows));
        out().println();
        out().println("table: %s".formatted(table));
    }

    private void print(SjfBcoConfig settings, List<SjfBcoRow> rows) {
        PrintWriter out = out();
        out.println(
                "%s: %d batches; times in slots of a second. \"paper\" is one batch of its authors', \"ours\" are means."
                        .formatted(settings.name(), settings.batches()));
        out.println();
        TextTable table = new TextTable(SjfBcoReport.header().toArray(String[]::new));
        SjfBcoReport.table(rows).forEach(cells -> table.add(cells.toArray(String[]::new)));
        table.print(out);
    }
}
