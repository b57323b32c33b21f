package org.trainyard.experiments.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.inspection.CheckpointReport;
import org.trainyard.experiments.inspection.InterferenceReport;
import org.trainyard.experiments.inspection.Report;
import org.trainyard.experiments.inspection.TopologyReport;
import org.trainyard.experiments.inspection.TraceReport;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.training.Checkpoint;
import org.trainyard.interference.fit.FittedFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what is in a trace or topology, and what is wrong with it. */
@Command(
        name = "inspect",
        description = "Say what is in a trace or topology, and what is wrong with it.",
        sortOptions = false,
        footer = {"", "Example: trainyard inspect jobs.csv --cluster medium"})
final class InspectCommand extends Subcommand {
    @Parameters(
            paramLabel = "TRACE|TOPOLOGY|CHECKPOINT|MODEL",
            description =
                    "A trace file, a topology file, a cluster's name, or the folder of a checkpoint, run or fitted model.")
    private @Nullable String target;

    @Option(names = "--cluster", paramLabel = "NAME|FILE", description = "Compare the trace with this cluster.")
    private @Nullable String cluster;

    @Option(
            names = "--truth",
            paramLabel = "CONFIG.yaml",
            description = "Hold a fitted model of interference against the true world of this experiment.")
    private @Nullable String truth;

    @Mixin
    private TraceOptions traces = new TraceOptions();

    @Option(names = "--json", description = "Answer in JSON.")
    private boolean json;

    @Override
    void run() {
        Report report = report(String.valueOf(target));
        if (json) {
            out().println(JsonText.of(report.json()));
        } else {
            report.print(out());
        }
    }

    private Report report(String name) {
        if (Clusters.isCluster(name)) {
            return new TopologyReport(Clusters.resolve(name));
        }
        Path path = InputFiles.path(name);
        if (FittedFiles.isOne(path)) {
            return new InterferenceReport(path, truth == null ? null : InputFiles.path(truth));
        }
        if (Files.isDirectory(path)) {
            return new CheckpointReport(Checkpoint.open("inspect", path));
        }
        Topology topology = cluster == null ? null : Clusters.resolve("--cluster", cluster);
        return new TraceReport(traces.read(name), topology);
    }
}
