package org.trainyard.experiments.cli.simulate;

import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.reasons.ExplainedScheduler;
import org.trainyard.experiments.timeline.RunRecorder;
import picocli.CommandLine.Option;

/** The job whose wait is explained. */
public final class ExplainOption {
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
                out.println("  from %s on: %s".formatted(human(note.nanos()), reasons.isEmpty() ? "it runs" : reasons));
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
