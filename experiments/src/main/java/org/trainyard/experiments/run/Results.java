package org.trainyard.experiments.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.trainyard.experiments.config.ConfigWriter;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.report.HtmlReport;
import org.trainyard.experiments.report.JobsCsv;
import org.trainyard.experiments.report.SummaryJson;
import org.trainyard.experiments.report.TrainingCurve;

/** The files that say how a run ended. */
public final class Results {
    private Results() {}

    /**
     * Writes summary, jobs, report and timing.
     *
     * @param remarks what the reader should know, a sentence each
     * @param curves of training, or empty
     * @param timing wall-clock figures
     */
    public static void write(
            RunDirectory directory,
            ExperimentConfig config,
            Evaluation evaluation,
            List<String> remarks,
            List<TrainingCurve> curves,
            ObjectNode timing) {
        JobsCsv.write(directory.jobs(), evaluation);
        HtmlReport.write(
                directory.report(),
                new HtmlReport.Content(config.name(), ConfigWriter.yaml(config), evaluation, remarks, curves));
        AtomicFiles.write(directory.timing(), SummaryJson.pretty(timing));
        // Last, for its presence says that the run is finished.
        SummaryJson.write(
                directory.summary(),
                new ObjectMapper().valueToTree(ConfigWriter.plain(config)),
                config.seed(),
                evaluation);
    }
}
