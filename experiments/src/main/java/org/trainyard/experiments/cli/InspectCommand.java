package org.trainyard.experiments.cli;

import java.nio.file.Files;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.inspection.CheckpointReport;
import org.trainyard.experiments.inspection.InterferenceReport;
import org.trainyard.experiments.inspection.TopologyReport;
import org.trainyard.experiments.inspection.TraceReport;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.training.Checkpoint;
import org.trainyard.interference.fit.FittedFiles;
import picocli.CommandLine;
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
final class InspectCommand implements Callable<Integer> {
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

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Override
    public Integer call() {
        String name = String.valueOf(target);
        if (Clusters.isCluster(name)) {
            TopologyReport report = new TopologyReport(Clusters.resolve(name));
            if (json) {
                common.out().println(JsonText.of(report.json()));
            } else {
                report.print(common.out());
            }
        } else if (FittedFiles.isOne(InputFiles.path(name))) {
            InterferenceReport report =
                    new InterferenceReport(InputFiles.path(name), truth == null ? null : InputFiles.path(truth));
            if (json) {
                common.out().println(JsonText.of(report.json()));
            } else {
                report.print(common.out());
            }
        } else if (Files.isDirectory(InputFiles.path(name))) {
            CheckpointReport report = new CheckpointReport(Checkpoint.open("inspect", InputFiles.path(name)));
            if (json) {
                common.out().println(JsonText.of(report.json()));
            } else {
                report.print(common.out());
            }
        } else {
            Topology topology = cluster == null ? null : Clusters.resolve("--cluster", cluster);
            TraceReport report = new TraceReport(traces.read(name), topology);
            if (json) {
                common.out().println(JsonText.of(report.json()));
            } else {
                report.print(common.out());
            }
        }
        return CommandLine.ExitCode.OK;
    }
}
