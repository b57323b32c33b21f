package org.trainyard.experiments.report;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.metrics.FreezingFigures;

/**
 * {@code jobs.csv}: a row for each scheduler, episode and job; times in seconds since the episode's start, exact to
 * the nanosecond.
 *
 * <p>{@code servers} and {@code racks} are the numbers of servers and racks of the job's last placement.
 * {@code queueing_delay}, {@code undisturbed}, {@code restart}, {@code interference} and {@code placement} add up
 * to the JCT. Where jobs say more at their submission than their user, group and virtual cluster, there are the columns
 * {@code account}, {@code qos}, {@code limit}, {@code held} (time before it was allowed to start, beside its
 * {@code queueing_delay}) and {@code timed_out} (1 for a job killed at its limit). Where jobs allow frozen layers,
 * there is a last column {@code accuracy_penalty}. A user, a group or a
 * virtual cluster that the trace does not name is empty.
 */
public final class JobsCsv {
    private static final String[] HEADER = {
        "scheduler",
        "episode",
        "job",
        "submit",
        "first_start",
        "end",
        "gpus",
        "queueing_delay",
        "run_time",
        "preemptions",
        "user",
        "group",
        "virtual_cluster",
        "model",
        "servers",
        "racks",
        "undisturbed",
        "restart",
        "interference",
        "placement"
    };

    private static final String[] TERMS = {"account", "qos", "limit", "held", "timed_out"};

    private JobsCsv() {}

    public static void write(Path file, Evaluation evaluation) {
        AtomicFiles.write(file, out -> write(out, evaluation));
    }

    static void write(OutputStream out, Evaluation evaluation) throws IOException {
        Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
        CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(writer);
        try {
            boolean freezes = evaluation.runs().stream().anyMatch(JobsCsv::freezes);
            boolean speaks = evaluation.runs().stream().anyMatch(JobsCsv::speaks);
            Stream<String> terms = speaks ? Stream.of(TERMS) : Stream.empty();
            Stream<String> freezing = freezes ? Stream.of("accuracy_penalty") : Stream.empty();
            csv.writeRecord(Stream.of(Stream.of(HEADER), terms, freezing)
                    .flatMap(columns -> columns)
                    .toList());
            for (SchedulerRuns runs : evaluation.runs()) {
                for (int episode = 0; episode < runs.episodes().size(); episode++) {
                    rows(csv, runs.name(), episode, runs.episodes().get(episode), speaks, freezes);
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        // Flushed, not closed: the stream is the caller's.
        csv.flush();
        writer.flush();
    }

    private static boolean freezes(SchedulerRuns runs) {
        return runs.jobs().stream().anyMatch(FreezingFigures::allowsFreezing);
    }

    private static boolean speaks(SchedulerRuns runs) {
        return runs.jobs().stream().anyMatch(job -> !job.job().terms().equals(SubmissionTerms.NONE));
    }

    /** A name of a log as text that is none of a formula or of a terminal's commands. */
    private static String named(@Nullable String name) {
        if (name == null || name.isEmpty()) {
            return "";
        }
        String plain = name.replaceAll("\\p{Cntrl}", "?");
        return "=+@".indexOf(plain.charAt(0)) < 0 ? plain : "'" + plain;
    }

    private static void rows(
            CsvWriter csv, String scheduler, int episode, RunResult result, boolean speaks, boolean freezes) {
        for (JobOutcome job : result.jobs()) {
            List<String> row = new ArrayList<>(List.of(
                    scheduler,
                    Integer.toString(episode),
                    named(job.job().name()),
                    Durations.seconds(job.job().submitNanos()),
                    Durations.seconds(job.firstStartNanos()),
                    Durations.seconds(job.endNanos()),
                    Integer.toString(job.job().gpus()),
                    Durations.seconds(job.queueingNanos()),
                    Durations.seconds(job.runNanos()),
                    Integer.toString(job.preemptions()),
                    named(job.job().user()),
                    named(job.job().group()),
                    named(job.job().virtualCluster()),
                    named(job.job().model().name()),
                    Integer.toString(job.servers()),
                    Integer.toString(job.racks()),
                    Durations.seconds(job.onGpus().undisturbedNanos()),
                    Durations.seconds(job.onGpus().restartNanos()),
                    Durations.seconds(job.onGpus().interferenceNanos()),
                    Durations.seconds(job.onGpus().placementNanos())));
            if (speaks) {
                SubmissionTerms terms = job.job().terms();
                row.add(named(terms.account()));
                row.add(named(terms.qos()));
                row.add(terms.limitNanos() == 0 ? "" : Durations.seconds(terms.limitNanos()));
                row.add(Durations.seconds(job.heldNanos()));
                row.add(job.timedOut() ? "1" : "0");
            }
            if (freezes) {
                row.add(FreezingFigures.allowsFreezing(job) ? Double.toString(job.accuracyPenalty()) : "");
            }
            csv.writeRecord(row);
        }
    }
}
