package org.trainyard.experiments.cli.simulate;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.FileText;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.trace.JsonLog;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.JsonOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.cli.options.TableOption;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.inspection.CheckpointReport;
import org.trainyard.experiments.inspection.ExportHashes;
import org.trainyard.experiments.inspection.InterferenceReport;
import org.trainyard.experiments.inspection.Report;
import org.trainyard.experiments.inspection.RunFiles;
import org.trainyard.experiments.inspection.TopologyReport;
import org.trainyard.experiments.inspection.TraceReport;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.simulation.ClusterOption;
import org.trainyard.experiments.simulation.LoggedCluster;
import org.trainyard.experiments.training.Checkpoint;
import org.trainyard.interference.fit.FittedFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what a trace, topology, checkpoint or fitted model contains. */
@Command(
        name = "inspect",
        description = "Show the content and the faults of a trace, cluster, checkpoint, model or run file.",
        footer = {
            "",
            "Example: trainyard inspect jobs.csv --cluster medium",
            "Example: trainyard inspect runs/quickstart --table curve.csv"
        })
public final class InspectCommand extends Subcommand {
    @Parameters(
            paramLabel = "TRACE|TOPOLOGY|CHECKPOINT|MODEL|FILE",
            description = "Trace file, topology file, name of a cluster, folder of a checkpoint, run or model, "
                    + "or a file of a run.")
    private @Nullable String target;

    @Mixin
    private CommonOption cluster = CommonOption.cluster("Cluster whose load by the trace is computed.");

    @Option(
            names = "--truth",
            paramLabel = "CONFIG.yaml",
            description = "Experiment, whose interference a fitted model is compared with.")
    private @Nullable String truth;

    @Mixin
    private TraceOptions traces = new TraceOptions();

    @Mixin
    private CommonOption out = CommonOption.out(
            "Also write the audit of a trace as a page: FILE.html, or report.html and audit.json " + "in a folder.");

    @Mixin
    private TableOption table = new TableOption();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    protected void run() {
        table.check();
        Report report = report(String.valueOf(target));
        if (table.isGiven()) {
            AnswerTable<?> curve = report.curve();
            if (curve == null) {
                table.write(report.answer());
            } else {
                table.write(curve);
            }
        }
        if (out.value() != null) {
            write(report, out.value());
        }
        if (json.isGiven()) {
            out().println(JsonText.of(report.json()));
        } else {
            report.answer().print(out());
        }
    }

    private static void write(Report report, String where) {
        if (!(report instanceof TraceReport trace)) {
            throw InputException.at("--out", where, "a trace or log to audit; other files have no page");
        }
        Path path = InputFiles.path(where);
        if (where.endsWith(".html")) {
            AtomicFiles.write(path, trace.html());
        } else {
            AtomicFiles.makeFolder(path);
            AtomicFiles.write(path.resolve("report.html"), trace.html());
            AtomicFiles.write(path.resolve("audit.json"), JsonText.of(trace.json()) + "\n");
        }
    }

    /** Whether a text begins as a list or an object of Kubernetes does. */
    private static boolean isOfKubernetes(Path path) {
        try (BufferedReader text = FileText.open(path, Long.MAX_VALUE, bytes -> {})) {
            String first = text.readLine();
            return first != null && first.matches("(apiVersion|kind|items):.*");
        } catch (IOException | InputException unreadable) {
            return false;
        }
    }

    private Report report(String name) {
        Path path = InputFiles.path(name);
        boolean isTrace = Stream.of("--columns", "--format")
                .anyMatch(option -> commandLine().getParseResult().hasMatchedOption(option));
        if (isTrace) {
            return trace(name);
        }
        if (FittedFiles.isOne(path)) {
            return InterferenceReport.of(path, truth == null ? null : InputFiles.path(truth));
        }
        Report written = Files.exists(path) && !JsonLog.isOne(path) ? RunFiles.report(path) : null;
        if (written != null) {
            return written;
        }
        if (Clusters.isCluster(name) && !isOfKubernetes(path)) {
            return new TopologyReport(Clusters.resolve(name));
        }
        if (Files.isDirectory(path) && TraceReader.tableIn(path) == null) {
            ExportHashes.require(path);
            return new CheckpointReport(Checkpoint.open("inspect", path));
        }
        return trace(name);
    }

    /**
     * The cluster that is given, or that of a slurm.conf beside the log; null for none, or where that has no shorthand.
     */
    private @Nullable LoggedCluster logged(Path log) {
        String named;
        try {
            named = ClusterOption.named(cluster.value(), log, List.of(), err()::println);
        } catch (InputException e) {
            if (cluster.isGiven()) {
                throw e;
            }
            err().println("note: " + e.getMessage());
            return null;
        }
        return named == null ? null : LoggedCluster.of(Clusters.resolve("--cluster", named), log, List.of());
    }

    private Report trace(String name) {
        LoggedCluster logged = logged(InputFiles.path(name));
        if (logged == null) {
            return TraceReport.of(jobs -> traces.stream(name, jobs), null);
        }
        UnaryOperator<TraceJob> partitioned = logged.partitioned();
        return TraceReport.of(
                jobs -> traces.stream(name, job -> jobs.accept(partitioned.apply(job))), logged.topology());
    }
}
