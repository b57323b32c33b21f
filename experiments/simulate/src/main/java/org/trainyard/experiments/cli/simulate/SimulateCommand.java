package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.cli.options.EventOptions;
import org.trainyard.experiments.cli.options.ReplaceOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.cli.options.WideOption;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.reasons.ExplainedScheduler;
import org.trainyard.experiments.simulation.ExpectedHashes;
import org.trainyard.experiments.simulation.PhysicalRuns;
import org.trainyard.experiments.simulation.Simulation;
import org.trainyard.experiments.simulation.TraceSimulation;
import org.trainyard.experiments.simulation.TrainedContender;
import org.trainyard.experiments.timeline.RunLogs;
import org.trainyard.experiments.timeline.RunRecorder;
import org.trainyard.experiments.training.Checkpoint;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs schedulers on one trace and compares them. */
@Command(
        name = "simulate",
        description = "Run schedulers on a trace and a cluster, and compare job completion times (JCT).",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard simulate --trace jobs.csv --cluster 20x8 --scheduler fifo,sjf,las --out runs/mine"
        })
public final class SimulateCommand extends Subcommand {
    @Mixin
    private SimulationOptions simulated = new SimulationOptions();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write summary.json, jobs.csv, series.csv, report.html and timing.json to this" + " folder.")
    private @Nullable String out;

    @Mixin
    private ReplaceOption replace = new ReplaceOption();

    @Mixin
    private EventOptions events = new EventOptions();

    @Mixin
    private ExplainOption explain = new ExplainOption();

    @Mixin
    private VerifyOptions hashes = new VerifyOptions();

    @Option(names = "--json", description = "Print summary.json instead of tables.")
    private boolean json;

    @Mixin
    private WideOption wide = new WideOption();

    @Override
    protected void run() {
        Checkpoint opened = simulated.checkpoint(err());
        if (opened == null) {
            run(null);
            return;
        }
        run(new TrainedContender(opened.policy(), ConfigReader.read(opened.config(), List.of())));
    }

    private void run(@Nullable TrainedContender learned) {
        events.file();
        if (simulated.isDivided()) {
            runVirtualClusters(learned);
            return;
        }
        Topology topology = simulated.topology();
        ObjectNode config = simulated.input();
        Simulation simulation = simulated.simulation(topology, learned, config, events.isAny(), err());
        List<String> names = simulation.schedulers();
        ExpectedHashes expected = hashes.expected(names);
        PhysicalRuns physical = simulated.physical(simulation);
        try (RunDirectory directory = directory(config.deepCopy())) {
            RunLogs logs = events.logs(directory);
            RunRecorder recorder = new RunRecorder(topology, names.size(), 1);
            explain.addTo(recorder);
            if (directory == null && logs.eventFile() == null && !explain.isAny()) {
                simulation.run(null);
            } else {
                logs.write(recorder, topology, () -> simulation.run(recorder));
            }
            show(simulation, config);
            explain.print(recorder, json ? err() : out());
            if (!json && physical != null) {
                physical.answer(((TraceSimulation) simulation).evaluation()).print(out());
            }
            keep(simulation, config, directory, expected);
        }
    }

    private void show(Simulation simulation, ObjectNode config) {
        if (json) {
            out().print(JsonText.pretty(simulation.summary(config)));
        } else {
            simulation.answer(wide.isWide()).print(out());
        }
    }

    private void keep(
            Simulation simulation,
            ObjectNode config,
            @Nullable RunDirectory directory,
            @Nullable ExpectedHashes expected) {
        if (directory != null) {
            simulation.write(directory, config);
        }
        if (expected != null) {
            verify(expected, simulation.hashes());
        }
    }

    private void runVirtualClusters(@Nullable TrainedContender learned) {
        ObjectNode config = simulated.input();
        Simulation simulation = simulated.divided(learned, config, events.isAny(), err());
        ExpectedHashes expected = hashes.expected(simulation.schedulers());
        try (RunDirectory directory = directory(config.deepCopy())) {
            simulation.run(null);
            show(simulation, config);
            keep(simulation, config, directory, expected);
        }
    }

    private void verify(ExpectedHashes expected, List<Simulation.LogHash> found) {
        String differs = expected.difference(found);
        err().println("trainyard: " + (differs == null ? expected.verified(found) : differs));
        if (differs != null) {
            exitWith(CommandLine.ExitCode.SOFTWARE);
        }
    }

    private @Nullable RunDirectory directory(ObjectNode config) {
        if (out == null) {
            return null;
        }
        Path root = InputFiles.path(out);
        simulated.describe(config);
        return RunDirectory.create(root, JsonText.pretty(config), replace.otherRun());
    }

    /** The option that checks event logs against their hashes. */
    static final class VerifyOptions {
        @Option(
                names = "--verify-hash",
                paramLabel = "SHA|FILE",
                description =
                        "Exit with code 1 unless the event logs have this SHA-256, or those in this summary.json.")
        private @Nullable String verify;

        /** The hashes that the logs of these schedulers must have; null without the option. */
        public @Nullable ExpectedHashes expected(List<String> names) {
            return verify == null ? null : ExpectedHashes.parse("--verify-hash", verify, names);
        }
    }

    /** The job whose wait is explained. */
    static final class ExplainOption {
        @Option(
                names = "--explain",
                paramLabel = "JOB[@SECONDS]",
                description =
                        "Also say why this job waits and which jobs are ahead, under each scheduler: from its submission"
                                + " to its start, or at a time in seconds after the first submission.")
        private @Nullable String explain;

        /** Whether a job is to be explained. */
        public boolean isAny() {
            return explain != null;
        }

        private String job() {
            return String.valueOf(explain).replaceFirst("@[^@]*$", "");
        }

        /** Lets a recorder note why the job waits. */
        public void addTo(RunRecorder recorder) {
            if (explain != null) {
                recorder.explaining(job());
            }
        }

        /** Prints what was noted. */
        public void print(RunRecorder recorder, PrintWriter out) {
            recorder.explanations().forEach((scheduler, notes) -> {
                out.println();
                out.println("Job %s under %s:".formatted(job(), scheduler));
                if (String.valueOf(explain).contains("@")) {
                    at(notes, out);
                    return;
                }
                String last = null;
                for (ExplainedScheduler.Note note : notes) {
                    String reasons = String.join("; ", note.why().reasons());
                    if (note.why().words().equals(last)) {
                        continue;
                    }
                    last = note.why().words();
                    out.println(
                            "  from %s on: %s".formatted(human(note.nanos()), reasons.isEmpty() ? "it runs" : reasons));
                }
                if (notes.isEmpty()) {
                    out.println("  it never waited");
                }
            });
        }

        private void at(List<ExplainedScheduler.Note> notes, PrintWriter out) {
            String time = String.valueOf(explain).replaceFirst("^.*@", "");
            try {
                double seconds = Double.parseDouble(time);
                ExplainedScheduler.Note last = notes.stream()
                        .filter(note -> note.nanos() <= seconds * 1e9)
                        .reduce((one, next) -> next)
                        .orElse(null);
                List<String> reasons = last == null
                        ? List.of("it has not been submitted")
                        : last.why().reasons();
                (reasons.isEmpty() ? List.of("it runs, or has ended") : reasons)
                        .forEach(reason -> out.println("  " + reason));
            } catch (NumberFormatException wrong) {
                throw InputException.at("--explain", String.valueOf(explain), "JOB or JOB@SECONDS");
            }
        }

        private static String human(long nanos) {
            return Durations.human(nanos / 1e9);
        }
    }
}
