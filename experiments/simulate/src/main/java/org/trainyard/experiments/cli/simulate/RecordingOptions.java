package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.cli.options.EventOptions;
import org.trainyard.experiments.evaluation.RunLogs;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.simulation.Simulation;
import org.trainyard.experiments.timeline.RunRecorder;
import org.trainyard.experiments.waitreasons.ExplainedScheduler;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the records of a simulation: events, decisions, and the reasons of a job's wait. */
final class RecordingOptions {
    @Mixin
    private EventOptions events = new EventOptions();

    @Option(
            names = "--explain",
            paramLabel = "JOB[@SECONDS]",
            description = "Also say why this job waits under each scheduler, from its submission to its start or "
                    + "at a time in seconds after the first submission.")
    private @Nullable String explain;

    @Mixin
    private OutputOptions output = new OutputOptions();

    private @Nullable RunRecorder recorder;

    OutputOptions output() {
        return output;
    }

    /** Whether events are written. */
    boolean isLogged() {
        return events.isAny();
    }

    /**
     * Runs a simulation, keeps the requested records, and prints and writes its result.
     *
     * @return as {@link OutputOptions#run}
     */
    boolean run(
            Simulation simulation,
            Topology topology,
            ObjectNode described,
            ObjectNode whole,
            PrintWriter out,
            PrintWriter err) {
        events.file();
        boolean isVerified =
                output.run(simulation, described, whole, directory -> run(simulation, topology, directory), out, err);
        if (recorder != null) {
            explain(recorder, output.isJson() ? err : out);
        }
        return isVerified;
    }

    private void run(Simulation simulation, Topology topology, @Nullable RunDirectory directory) {
        RunLogs logs = events.logs(directory);
        RunRecorder noting = new RunRecorder(topology, simulation.schedulers().size(), 1);
        if (explain != null) {
            noting.explaining(job());
            recorder = noting;
        }
        if (directory == null && logs.eventFile() == null && explain == null) {
            simulation.run(null);
        } else {
            noting.write(logs, () -> simulation.run(noting));
        }
    }

    private String job() {
        return String.valueOf(explain).replaceFirst("@[^@]*$", "");
    }

    private void explain(RunRecorder noted, PrintWriter out) {
        noted.explanations().forEach((scheduler, notes) -> {
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
                String since = Durations.human(note.nanos() / 1e9);
                out.println("  from %s on: %s".formatted(since, reasons.isEmpty() ? "it runs" : reasons));
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
}
