package org.trainyard.experiments.report;

import com.fasterxml.jackson.databind.JsonNode;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.RunDirectory;

/** Writes the results of a run: {@code jobs.csv series.csv report.html timing.json summary.json}. */
public final class ResultFiles {
    private ResultFiles() {}

    /** @param timing wall-clock values, which differ from run to run */
    public static void write(RunDirectory directory, RunReport report, Object timing) {
        directory.unfinish();
        JobsCsv.write(directory.jobs(), report.evaluation());
        report.timelines().write(directory.root());
        JsonNode summary = report.summary();
        AtomicFiles.write(directory.report(), report.html(summary));
        AtomicFiles.write(directory.timing(), JsonText.pretty(timing));
        // Last, because its presence says that the run is finished.
        AtomicFiles.write(directory.summary(), JsonText.pretty(summary));
    }
}
