package org.trainyard.experiments.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.metrics.FreezingFigures;

/**
 * {@code jobs.csv}: a row for each scheduler, episode and job; times in seconds since the episode's start, exact to the
 * nanosecond.
 *
 * <p>{@code servers} and {@code racks} are the numbers of servers and racks of the job's last placement.
 * {@code queueing_delay}, {@code undisturbed}, {@code restart}, {@code interference} and {@code placement} add up to
 * the JCT. Where jobs say more at their submission than their user, group and virtual cluster, there are the columns
 * {@code account}, {@code qos}, {@code limit}, {@code held} (time before it was allowed to start, beside its
 * {@code queueing_delay}) and {@code timed_out} (1 for a job killed at its limit). Where jobs allow frozen layers,
 * there is a last column {@code accuracy_penalty}. A user, a group or a virtual cluster that the trace does not name is
 * empty.
 */
public final class JobsCsv {
    private record Row(String scheduler, int episode, JobOutcome outcome) {
        JobSpec job() {
            return outcome.job();
        }

        SubmissionTerms terms() {
            return job().terms();
        }
    }

    private JobsCsv() {}

    public static void write(Path file, Evaluation evaluation) {
        AtomicFiles.write(file, out -> write(out, evaluation));
    }

    static void write(OutputStream out, Evaluation evaluation) throws IOException {
        AnswerTable<Row> table = AnswerTable.<Row>of(() -> rows(evaluation).iterator())
                .text("scheduler", Row::scheduler)
                .text("episode", row -> Integer.toString(row.episode))
                .text("job", row -> named(row.job().name()))
                .text("submit", row -> Durations.seconds(row.job().submitNanos()))
                .text("first_start", row -> Durations.seconds(row.outcome.firstStartNanos()))
                .text("end", row -> Durations.seconds(row.outcome.endNanos()))
                .text("gpus", row -> Integer.toString(row.job().gpus()))
                .text("queueing_delay", row -> Durations.seconds(row.outcome.queueingNanos()))
                .text("run_time", row -> Durations.seconds(row.outcome.runNanos()))
                .text("preemptions", row -> Integer.toString(row.outcome.preemptions()))
                .text("user", row -> named(row.job().user()))
                .text("group", row -> named(row.job().group()))
                .text("virtual_cluster", row -> named(row.job().virtualCluster()))
                .text("model", row -> named(row.job().model().name()))
                .text("servers", row -> Integer.toString(row.outcome.servers()))
                .text("racks", row -> Integer.toString(row.outcome.racks()))
                .text(
                        "undisturbed",
                        row -> Durations.seconds(row.outcome.onGpus().undisturbedNanos()))
                .text("restart", row -> Durations.seconds(row.outcome.onGpus().restartNanos()))
                .text(
                        "interference",
                        row -> Durations.seconds(row.outcome.onGpus().interferenceNanos()))
                .text("placement", row -> Durations.seconds(row.outcome.onGpus().placementNanos()));
        if (rows(evaluation).anyMatch(row -> !row.terms().equals(SubmissionTerms.NONE))) {
            table.text("account", row -> named(row.terms().account()))
                    .text("qos", row -> named(row.terms().qos()))
                    .text(
                            "limit",
                            row -> row.terms().limitNanos() == 0
                                    ? ""
                                    : Durations.seconds(row.terms().limitNanos()))
                    .text("held", row -> Durations.seconds(row.outcome.heldNanos()))
                    .text("timed_out", row -> row.outcome.timedOut() ? "1" : "0");
        }
        if (rows(evaluation).anyMatch(row -> FreezingFigures.allowsFreezing(row.outcome))) {
            table.text(
                    "accuracy_penalty",
                    row -> FreezingFigures.allowsFreezing(row.outcome)
                            ? Double.toString(row.outcome.accuracyPenalty())
                            : "");
        }
        table.csv(out);
    }

    /** A name of a log as text that is none of a formula or of a terminal's commands. */
    private static String named(@Nullable String name) {
        if (name == null || name.isEmpty()) {
            return "";
        }
        String plain = name.replaceAll("\\p{Cntrl}", "?");
        return "=+@".indexOf(plain.charAt(0)) < 0 ? plain : "'" + plain;
    }

    private static Stream<Row> rows(Evaluation evaluation) {
        return evaluation.runs().stream().flatMap(JobsCsv::rows);
    }

    private static Stream<Row> rows(SchedulerRuns runs) {
        return IntStream.range(0, runs.episodes().size())
                .boxed()
                .flatMap(episode ->
                        runs.episodes().get(episode).jobs().stream().map(job -> new Row(runs.name(), episode, job)));
    }
}
