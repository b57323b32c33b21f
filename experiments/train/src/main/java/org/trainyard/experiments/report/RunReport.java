package org.trainyard.experiments.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.RunRecording;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.metrics.Statistics;

/**
 * Report of a run, as {@code summary.json} and as {@code report.html}.
 *
 * @param subject configuration and seed of the run
 * @param evaluation the schedulers compared
 * @param ranking a record of intervals over time, or null
 * @param notes caveats for the reader, a sentence each
 * @param trainingCurves of one training, or empty
 * @param seedCurves of the training of several seeds, or empty
 * @param timelines recorded of the runs
 */
public record RunReport(
        Subject subject,
        Evaluation evaluation,
        @Nullable Record ranking,
        List<String> notes,
        List<TrainingCurve> trainingCurves,
        List<SeedCurves> seedCurves,
        RunRecording.Timelines timelines) {
    /** Points of a cumulative distribution above which it is thinned; every point kept is exact. */
    private static final int CDF_POINTS = 400;

    /**
     * Subject of the report: the configuration and seed of the run.
     *
     * @param config resolved, as {@code summary.json} has it
     * @param configuration the same as text for readers
     */
    public record Subject(String title, JsonNode config, String configuration, long seed) {
        public static Subject of(ExperimentConfig config) {
            return new Subject(
                    config.name(), JsonText.tree(ConfigWriter.plain(config)), ConfigWriter.yaml(config), config.seed());
        }
    }

    public RunReport {
        notes = List.copyOf(notes);
        trainingCurves = List.copyOf(trainingCurves);
        seedCurves = List.copyOf(seedCurves);
    }

    /** {@code summary.json}. */
    public JsonNode summary() {
        return SummaryJson.of(subject.config(), subject.seed(), evaluation, ranking)
                .tree();
    }

    private record Page(
            String title,
            List<String> notes,
            String configuration,
            JsonNode summary,
            Charts evaluation,
            Object timelines,
            List<TrainingCurve> trainingCurves,
            List<SeedCurves> seedCurves) {}

    /** Data of the charts that the summary lacks: roles, distributions, differences by episode. */
    private record Charts(int episodes, int jobs, int verdictEpisodes, List<Scheduler> schedulers) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Scheduler(
            String name,
            String role,
            double @Nullable [] @Nullable [] jctCdf,
            @Nullable List<Double> differencesPercent) {}

    /** {@code report.html}, around this summary. */
    String html(JsonNode summary) {
        List<Scheduler> schedulers =
                evaluation.scores().stream().map(this::scheduler).toList();
        return HtmlReport.page(new Page(
                subject.title(),
                notes,
                subject.configuration(),
                summary,
                new Charts(evaluation.episodes(), evaluation.jobs(), PairedComparison.ENOUGH_EPISODES, schedulers),
                timelines.charts(),
                trainingCurves,
                seedCurves));
    }

    private Scheduler scheduler(SchedulerScore score) {
        PairedComparison comparison = evaluation.comparison(score.name());
        return new Scheduler(
                score.name(),
                score.role().name(),
                // The pool of the seeds has a line.
                evaluation.isSeed(score.name()) ? null : jctCdf(score.name()),
                comparison == null ? null : comparison.differences());
    }

    /** Pairs of a JCT in seconds and the share of jobs that took at most so long. */
    private double[][] jctCdf(String scheduler) {
        double[] sorted = Statistics.sortedSeconds(evaluation.runs(scheduler).episodes().stream()
                .flatMap(episode -> episode.jobs().stream())
                .mapToLong(JobOutcome::jctNanos)
                .toArray());
        double[][] cdf = new double[1 + Math.min(CDF_POINTS, sorted.length)][];
        cdf[0] = new double[] {sorted[0], 0};
        for (int i = 1; i < cdf.length; i++) {
            int rank = (int) ((long) i * sorted.length / (cdf.length - 1));
            cdf[i] = new double[] {sorted[rank - 1], (double) rank / sorted.length};
        }
        return cdf;
    }
}
