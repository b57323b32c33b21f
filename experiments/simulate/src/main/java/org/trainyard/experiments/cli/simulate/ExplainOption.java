package org.trainyard.experiments.cli.simulate;

import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.timeline.RunRecorder;
import org.trainyard.experiments.waitreasons.ExplainedScheduler;
import picocli.CommandLine.Option;

/** The option for the reasons of a job's wait. */
final class ExplainOption {
    @Option(
            names = "--explain",
            paramLabel = "JOB[@SECONDS]",
            description = "Also say why this job waits under each scheduler, from its submission to its start or "
                    + "at a time in seconds after the first submission.")
    private @Nullable String explain;

    /** The job, or null where none is named. */
    @Nullable String job() {
        return explain == null ? null : explain.replaceFirst("@[^@]*$", "");
    }

    /** Prints why it waited. */
    void print(RunRecorder noted, PrintWriter out) {
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
            if (Double.isNaN(seconds)) {
                throw new NumberFormatException(time);
            }
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
