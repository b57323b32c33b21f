package org.trainyard.experiments.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.timeline.RunTimeline;

/**
 * What a run reports, as {@code summary.json} and as {@code report.html}.
 *
 * @param subject what was run
 * @param evaluation the schedulers compared
 * @param notes what a reader has to know, a sentence each
 * @param trainingCurves of one training, or empty
 * @param seedCurves of the training of several seeds, or empty
 * @param timelines what was recorded of the runs, or empty
 */
public record RunReport(
        Subject subject,
        Evaluation evaluation,
        List<String> notes,
        List<TrainingCurve> trainingCurves,
        List<SeedCurves> seedCurves,
        List<RunTimeline> timelines) {
    /** Points of a cumulative distribution above which it is thinned; every point kept is exact. */
    private static final int CDF_POINTS = 400;

    /**
     * What was run.
     *
     * @param title of the report
     * @param config resolved, as {@code summary.json} has it
     * @param configuration the same as text for readers
     */
    public record Subject(String title, JsonNode config, String configuration, long seed) {
        public static Subject of(ExperimentConfig config) {
            return new Subject(
                    config.name(), JsonText.tree(ConfigWriter.plain(config)), ConfigWriter.yaml(config), config.seed());
        }
    }

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    public RunReport {
        notes = List.copyOf(notes);
        trainingCurves = List.copyOf(trainingCurves);
        seedCurves = List.copyOf(seedCurves);
        timelines = List.copyOf(timelines);
    }

    /** {@code summary.json}. */
    ObjectNode summary() {
        return SummaryJson.tree(subject.config(), subject.seed(), evaluation);
    }

    /** The text of {@code summary.json}. */
    public String summaryText() {
        return JsonText.pretty(summary());
    }

    /** {@code report.html}, around this summary. */
    String html(ObjectNode summary) {
        ObjectNode data = JSON.objectNode();
        data.put("title", subject.title());
        notes.forEach(data.putArray("notes")::add);
        data.put("configuration", subject.configuration());
        data.set("summary", summary);
        data.set("evaluation", chartData());
        data.set("timelines", TimelineJson.of(timelines));
        ArrayNode curves = data.putArray("training_curves");
        trainingCurves.forEach(curve -> curves.add(curve(curve)));
        ArrayNode figures = data.putArray("seed_curves");
        for (SeedCurves figure : seedCurves) {
            ArrayNode seeds = figures.addObject().put("name", figure.name()).putArray("seeds");
            figure.seeds().forEach(seed -> seeds.add(curve(seed)));
        }
        return HtmlReport.page(data);
    }

    /** What the charts need and a summary lacks: roles, distributions, differences by episode. */
    private ObjectNode chartData() {
        ObjectNode node = JSON.objectNode();
        node.put("episodes", evaluation.episodes());
        node.put("jobs", evaluation.jobs());
        node.put("verdict_episodes", PairedComparison.ENOUGH_EPISODES);
        ArrayNode schedulers = node.putArray("schedulers");
        for (SchedulerScore score : evaluation.scores()) {
            ObjectNode one = schedulers.addObject();
            one.put("name", score.name());
            one.put("role", score.role().name());
            if (!evaluation.isSeed(score.name())) {
                // The pool of the seeds has a line.
                one.set("jct_cdf", jctCdf(score.name()));
            }
            PairedComparison comparison = evaluation.comparison(score.name());
            if (comparison != null) {
                comparison.differences().forEach(one.putArray("differences_percent")::add);
            }
        }
        return node;
    }

    /** Pairs of a JCT in seconds and the share of jobs that took at most so long. */
    private ArrayNode jctCdf(String scheduler) {
        double[] sorted = Statistics.sortedSeconds(evaluation.runs(scheduler).episodes().stream()
                .flatMap(episode -> episode.jobs().stream())
                .mapToLong(JobOutcome::jctNanos)
                .toArray());
        ArrayNode cdf = JSON.arrayNode();
        cdf.addArray().add(sorted[0]).add(0.0);
        int points = Math.min(CDF_POINTS, sorted.length);
        for (int i = 1; i <= points; i++) {
            int rank = (int) ((long) i * sorted.length / points);
            cdf.addArray().add(sorted[rank - 1]).add((double) rank / sorted.length);
        }
        return cdf;
    }

    private static ObjectNode curve(TrainingCurve curve) {
        ObjectNode node = JSON.objectNode().put("name", curve.name());
        ArrayNode points = node.putArray("points");
        for (TrainingCurve.Point point : curve.points()) {
            ArrayNode pair = points.addArray().add(point.update());
            if (Double.isFinite(point.value())) {
                pair.add(point.value());
            } else {
                pair.addNull();
            }
        }
        return node;
    }
}
