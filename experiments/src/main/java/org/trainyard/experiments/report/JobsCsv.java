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
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.Durations;

/** {@code jobs.csv}: a row for each scheduler, episode and job; times in seconds since the episode's start, exact to the nanosecond. */
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
        "preemptions"
    };

    private JobsCsv() {}

    public static void write(Path file, Evaluation evaluation) {
        AtomicFiles.write(file, out -> write(out, evaluation));
    }

    static void write(OutputStream out, Evaluation evaluation) throws IOException {
        Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
        CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(writer);
        try {
            csv.writeRecord(HEADER);
            for (SchedulerRuns runs : evaluation.runs()) {
                for (int episode = 0; episode < runs.episodes().size(); episode++) {
                    rows(csv, runs.name(), episode, runs.episodes().get(episode));
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        // Flushed, not closed: the stream is the caller's.
        csv.flush();
        writer.flush();
    }

    private static void rows(CsvWriter csv, String scheduler, int episode, RunResult result) {
        for (JobOutcome job : result.jobs()) {
            csv.writeRecord(
                    scheduler,
                    Integer.toString(episode),
                    job.job().name(),
                    Durations.seconds(job.job().submitNanos()),
                    Durations.seconds(job.firstStartNanos()),
                    Durations.seconds(job.endNanos()),
                    Integer.toString(job.job().gpus()),
                    Durations.seconds(job.queueingNanos()),
                    Durations.seconds(job.runNanos()),
                    Integer.toString(job.preemptions()));
        }
    }
}
