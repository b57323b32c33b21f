package org.trainyard.experiments.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.yaml.ConfigWriter;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.RunDirectory;

/** The files that say how a run ended. */
public final class ResultFiles {
    private ResultFiles() {}

    /**
     * Writes summary, jobs, report and timing.
     *
     * @param evaluation that of the content
     * @param content of the report
     * @param timing wall-clock figures
     */
    public static void write(
            RunDirectory directory,
            ExperimentConfig config,
            Evaluation evaluation,
            HtmlReport.Content content,
            ObjectNode timing) {
        JobsCsv.write(directory.jobs(), evaluation);
        HtmlReport.write(directory.report(), content);
        AtomicFiles.write(directory.timing(), SummaryJson.pretty(timing));
        // Last, for its presence says that the run is finished.
        SummaryJson.write(
                directory.summary(),
                new ObjectMapper().valueToTree(ConfigWriter.plain(config)),
                config.seed(),
                evaluation,
                content.headroom());
    }
}
