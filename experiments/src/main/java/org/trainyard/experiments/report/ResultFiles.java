package org.trainyard.experiments.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.RunDirectory;

/** Writes the results of a run: {@code jobs.csv report.html timing.json summary.json}. */
public final class ResultFiles {
    private ResultFiles() {}

    /** @param timing wall-clock figures, which differ from run to run */
    public static void write(RunDirectory directory, RunReport report, ObjectNode timing) {
        ObjectNode summary = report.summary();
        JobsCsv.write(directory.jobs(), report.evaluation());
        AtomicFiles.write(directory.report(), report.html(summary));
        AtomicFiles.write(directory.timing(), JsonText.pretty(timing));
        // Last, because its presence says that the run is finished.
        AtomicFiles.write(directory.summary(), JsonText.pretty(summary));
    }
}
