package org.trainyard.experiments.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.evaluation.Statistics;
import org.trainyard.experiments.io.Durations;

/** The charts of the report: Vega-Lite specifications from the resources, filled with data. Schedulers stand in order of ranking. */
final class Charts {
    /** Points of a curve beyond which a CDF is thinned; every point kept is exact. */
    private static final int CDF_POINTS = 400;

    /** Schedulers the usual colours are enough for. */
    private static final int COLOURS = 10;

    /** Round times on the logarithmic axis, seconds. */
    private static final double[] TICKS = {
        1e-3,
        0.01,
        0.1,
        1,
        10,
        60,
        300,
        600,
        1800,
        3600,
        3 * 3600,
        6 * 3600,
        12 * 3600,
        86_400,
        3 * 86_400,
        7 * 86_400,
        30 * 86_400,
        365 * 86_400
    };

    private static final String TICK_LABEL =
            "datum.value < 1 ? format(datum.value * 1000, '~g') + ' ms' : datum.value < 60 ? datum.value + ' s'"
                    + " : datum.value < 3600 ? datum.value / 60 + ' min' : datum.value < 86400 ? datum.value / 3600 + ' h'"
                    + " : datum.value / 86400 + ' d'";

    private Charts() {}

    static ObjectNode jctCdf(Evaluation evaluation) {
        ObjectNode spec = ReportResources.json("charts/jct-cdf.json");
        ArrayNode values = values(spec);
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (SchedulerScore score : evaluation.ranking()) {
            if (evaluation.isSeed(score.name())) {
                // Their pool has a line.
                continue;
            }
            double[] sorted = Statistics.sortedSeconds(evaluation.runs(score.name()).episodes().stream()
                    .flatMap(episode -> episode.jobs().stream())
                    .mapToLong(JobOutcome::jctNanos)
                    .toArray());
            least = Math.min(least, sorted[0]);
            most = Math.max(most, sorted[sorted.length - 1]);
            int points = Math.min(CDF_POINTS, sorted.length);
            cdfPoint(values, score.name(), sorted[0], 0);
            for (int i = 1; i <= points; i++) {
                int rank = (int) ((long) i * sorted.length / points);
                cdfPoint(values, score.name(), sorted[rank - 1], (double) rank / sorted.length);
            }
        }
        durationAxis(spec, least, most);
        if (evaluation.scores().size() > COLOURS) {
            child(spec, "encoding", "color").putObject("scale").put("scheme", "tableau20");
        }
        return spec;
    }

    private static void cdfPoint(ArrayNode values, String scheduler, double seconds, double share) {
        values.addObject()
                .put("scheduler", scheduler)
                .put("seconds", seconds)
                .put("share", share)
                .put("label", Durations.human(seconds));
    }

    private static void durationAxis(ObjectNode spec, double least, double most) {
        ObjectNode x = child(spec, "encoding", "x");
        ArrayNode ticks = JsonNodeFactory.instance.arrayNode();
        for (double tick : TICKS) {
            if (tick >= least && tick <= most) {
                ticks.add(tick);
            }
        }
        // With fewer than two round times in reach, Vega's own ticks in seconds say more.
        if (ticks.size() > 1) {
            child(x, "axis").set("values", ticks);
            child(x, "axis").put("labelExpr", TICK_LABEL);
        } else {
            child(x, "axis").put("title", "job completion time, seconds");
        }
    }

    static ObjectNode differences(Evaluation evaluation) {
        ObjectNode spec = ReportResources.json("charts/differences.json");
        ArrayNode values = values(spec);
        boolean onlyFloors = onlyFloors(evaluation);
        Set<String> verdicts = new LinkedHashSet<>();
        for (SchedulerScore score : evaluation.ranking()) {
            PairedComparison comparison = evaluation.comparison(score.name());
            if (comparison == null || (score.role() == SchedulerRuns.Role.FLOOR && !onlyFloors)) {
                continue;
            }
            verdicts.add(comparison.verdict().word());
            row(values, comparison, "mean").put("percent", comparison.mean());
            PairedComparison.Interval interval = comparison.interval();
            if (interval != null) {
                row(values, comparison, "interval").put("low", interval.low()).put("high", interval.high());
            }
            List<Double> episodes = comparison.differences();
            for (int i = 0; i < episodes.size(); i++) {
                row(values, comparison, "episode").put("episode", i).put("percent", episodes.get(i));
            }
        }
        ObjectNode mean = child(spec, "layer", "3");
        ArrayNode legend = child(mean, "encoding", "color", "legend").putArray("values");
        verdicts.forEach(legend::add);
        return spec;
    }

    /** Whether floors alone are compared; else they are left out, for one bad enough would squeeze the rest into a line. */
    private static boolean onlyFloors(Evaluation evaluation) {
        return evaluation.comparisons().stream()
                .allMatch(c -> evaluation.runs(c.name()).role() == SchedulerRuns.Role.FLOOR);
    }

    private static ObjectNode row(ArrayNode values, PairedComparison comparison, String kind) {
        return values.addObject()
                .put("kind", kind)
                .put("scheduler", comparison.name())
                .put("verdict", comparison.verdict().word());
    }

    static ObjectNode queueing(Evaluation evaluation) {
        double most = evaluation.scores().stream()
                .mapToDouble(SchedulerScore::queueingDelayMean)
                .max()
                .orElse(0);
        TimeUnit unit = TimeUnit.of(most);
        ObjectNode spec = bars(evaluation, score -> score.queueingDelayMean() / unit.seconds, "%.1f");
        child(spec, "encoding", "x", "axis").put("title", "mean queueing delay, " + unit.word);
        return spec;
    }

    static ObjectNode slowdown(Evaluation evaluation) {
        ObjectNode spec = bars(evaluation, SchedulerScore::slowdownMean, "%.3f");
        child(spec, "encoding", "x", "axis").put("title", "mean slowdown by neighbours (1: none)");
        return spec;
    }

    private static ObjectNode bars(Evaluation evaluation, ToDoubleFunction<SchedulerScore> what, String format) {
        ObjectNode spec = ReportResources.json("charts/bars.json");
        ArrayNode values = values(spec);
        double most = 0;
        for (SchedulerScore score : evaluation.ranking()) {
            double value = what.applyAsDouble(score);
            most = Math.max(most, value);
            values.addObject()
                    .put("scheduler", score.name())
                    .put("value", value)
                    .put("label", String.format(Locale.ROOT, format, value));
        }
        // Room for the label behind the longest bar.
        child(spec, "encoding", "x")
                .putObject("scale")
                .putArray("domain")
                .add(0)
                .add(most > 0 ? 1.18 * most : 1);
        return spec;
    }

    static ObjectNode curve(TrainingCurve curve) {
        ObjectNode spec = ReportResources.json("charts/curve.json");
        ArrayNode values = values(spec);
        curve.points().forEach(point -> row(values, point));
        return spec;
    }

    private static ObjectNode row(ArrayNode values, TrainingCurve.Point point) {
        ObjectNode row = values.addObject().put("update", point.update());
        return Double.isFinite(point.value()) ? row.put("value", point.value()) : row.putNull("value");
    }

    static ObjectNode seedCurves(SeedCurves figure) {
        ObjectNode spec = ReportResources.json("charts/seed-curves.json");
        ArrayNode values = values(spec);
        for (TrainingCurve seed : figure.seeds()) {
            seed.points().forEach(point -> row(values, point).put("seed", seed.name()));
        }
        return spec;
    }

    private static ArrayNode values(ObjectNode spec) {
        return spec.putObject("data").putArray("values");
    }

    private static ObjectNode child(ObjectNode node, String... path) {
        JsonNode at = node;
        for (String key : path) {
            at = at.isArray() ? at.path(Integer.parseInt(key)) : at.path(key);
        }
        if (at instanceof ObjectNode found) {
            return found;
        }
        throw new IllegalStateException("a chart of the report has no %s".formatted(String.join(".", path)));
    }

    private enum TimeUnit {
        DAYS("days", 86_400),
        HOURS("hours", 3_600),
        MINUTES("minutes", 60),
        SECONDS("seconds", 1);

        private final String word;
        private final double seconds;

        TimeUnit(String word, double seconds) {
            this.word = word;
            this.seconds = seconds;
        }

        /** The largest unit of which there are at least two. */
        static TimeUnit of(double seconds) {
            for (TimeUnit unit : values()) {
                if (seconds >= 2 * unit.seconds) {
                    return unit;
                }
            }
            return SECONDS;
        }
    }
}
