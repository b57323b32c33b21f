package org.trainyard.experiments.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.timeline.RunRecorder;

/** One trace on one cluster, under one scheduler after another. */
public abstract sealed class Simulation permits EvaluatedSimulation, ArrivalsSimulation, StreamedSimulation {
    /** The event log of one scheduler's run, by its SHA-256. */
    public record LogHash(String scheduler, String sha256) {}

    /** Times that the runs took. */
    final WallTimes walls = new WallTimes();

    /** The full names of the schedulers, or of the placement policies. */
    public abstract List<String> schedulers();

    /** Runs all schedulers, recorded when there is a recorder; call it once, before all that follows. */
    public abstract void run(@Nullable RunRecorder recorder);

    /** The result and notes, and all tables where they are asked for. */
    public abstract Answer answer(boolean isWide);

    /** {@code summary.json}. */
    public abstract JsonNode summary(JsonNode config);

    /**
     * Writes {@code summary.json} and {@code timing.json}; where the jobs that end are kept, also {@code jobs.csv},
     * {@code series.csv} and {@code report.html}.
     */
    public void write(RunDirectory directory, JsonNode config) {
        directory.unfinish();
        AtomicFiles.write(directory.timing(), JsonText.pretty(walls.timing()));
        AtomicFiles.write(directory.summary(), JsonText.pretty(summary(config)));
    }

    public abstract List<LogHash> hashes();

    /** {@link #hashes} as a table. */
    final AnswerTable<LogHash> hashTable() {
        return AnswerTable.of(hashes())
                .text("scheduler", LogHash::scheduler)
                .text("SHA-256 of the event log", LogHash::sha256);
    }
}
