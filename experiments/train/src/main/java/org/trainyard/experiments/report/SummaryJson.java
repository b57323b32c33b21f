package org.trainyard.experiments.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.BlockRanking;
import org.trainyard.experiments.evaluation.Coincidence;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.evaluation.SeedPool;
import org.trainyard.experiments.evaluation.TrainingGain;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.metrics.BlockBootstrap;

/**
 * {@code summary.json}: equal bytes for equal results, keys in a fixed order, times in seconds as plain decimals
 * with at most nine places.
 *
 * <p>Beside config, seed and schedulers it has {@code comparison}: {@code {"reference", "episodes", "level",
 * "method", "correction", "windows_overlap", "schedulers": [{"name", "jct_difference_percent", "interval": [low,
 * high] | null, "p", "p_corrected", "verdict", "reason" (beside "not shown")}]}}, or null without a heuristic; and {@code duels}: each trained
 * policy {@code against} each other scheduler, in the same form. p-values are corrected for all rows of
 * {@code comparison}, and for all duels of one policy; they are null without a verdict. {@code training_gain} has
 * what training gained: {@code {"name", "untrained", "percent", "interval", "verdict", "sentence"}} for each
 * trained policy whose untrained start is known. {@code coincidences} lists schedulers that did the same in all
 * episodes: {@code {"schedulers": [name], "same": "decisions" | "completions"}}. Several seeds of one policy add
 * {@code pool}: {@code {"name", "method", "seeds": [name], "shipped": name | null}}, whose intervals use that
 * method. A trace under several schedulers adds {@code ranking}: {@code {"metric",
 * "method", "schedulers": [{"name", "value", "interval", "from_best", "too_close_to_call", "jct_mean_interval"}]}},
 * best first; intervals are null beyond the first twelve. A scheduler that rejected jobs has {@code rejected},
 * their number; {@code jobs} are the others. Its {@code kind} is that of {@code list schedulers}, null for a trained policy. {@link FiguresJson} has the metrics of a scheduler's jobs.
 */
public final class SummaryJson {
    private static final int DECIMALS = 9;
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private SummaryJson() {}

    public static void write(Path file, JsonNode config, long seed, Evaluation evaluation) {
        AtomicFiles.write(file, text(config, seed, evaluation));
    }

    /** The whole file. */
    public static String text(JsonNode config, long seed, Evaluation evaluation) {
        return text(config, seed, evaluation, null);
    }

    /** The whole file of one trace; {@code ranking} is null without intervals over time. */
    public static String text(JsonNode config, long seed, Evaluation evaluation, @Nullable BlockRanking ranking) {
        return JsonText.pretty(ranked(config, seed, evaluation, ranking));
    }

    /** Builds the JSON tree of the file of one trace; {@code ranking} is null without intervals over time. */
    public static ObjectNode ranked(JsonNode config, long seed, Evaluation evaluation, @Nullable BlockRanking ranking) {
        ObjectNode root = tree(config, seed, evaluation);
        if (ranking != null) {
            root.set("ranking", ranking(ranking));
        }
        return root;
    }

    /** The file as a tree. */
    static ObjectNode tree(JsonNode config, long seed, Evaluation evaluation) {
        ObjectNode root = JSON.objectNode();
        root.set("config", config);
        root.put("seed", seed);
        ArrayNode schedulers = root.putArray("schedulers");
        for (SchedulerScore score : evaluation.scores()) {
            schedulers.add(scheduler(score, evaluation.runs(score.name())));
        }
        root.set("comparison", comparison(evaluation));
        ArrayNode duels = root.putArray("duels");
        for (PairedComparison duel : evaluation.duels()) {
            ObjectNode one = duels.addObject();
            one.put("name", duel.name());
            one.put("against", duel.reference());
            difference(one, duel);
        }
        ArrayNode gains = root.putArray("training_gain");
        for (TrainingGain gain : evaluation.gains()) {
            gains.add(gain(gain));
        }
        ArrayNode coincidences = root.putArray("coincidences");
        for (Coincidence coincidence : evaluation.coincidences()) {
            ObjectNode one = coincidences.addObject();
            coincidence.schedulers().forEach(one.putArray("schedulers")::add);
            one.put("same", coincidence.decisions() ? "decisions" : "completions");
        }
        if (evaluation.pool() != null) {
            root.set("pool", pool(evaluation.pool()));
        }
        return root;
    }

    private static ObjectNode gain(TrainingGain gain) {
        ObjectNode node = JSON.objectNode();
        node.put("name", gain.comparison().name());
        node.put("untrained", gain.comparison().reference());
        node.set("percent", decimal(gain.percent()));
        interval(node, gain.interval());
        node.put("verdict", gain.comparison().verdict().word());
        node.put("sentence", gain.sentence());
        return node;
    }

    private static ObjectNode pool(SeedPool pool) {
        ObjectNode node = JSON.objectNode();
        node.put("name", pool.name());
        node.put("method", PairedComparison.POOLED_METHOD);
        ArrayNode seeds = node.putArray("seeds");
        pool.seeds().forEach(seed -> seeds.add(seed.name()));
        node.put("shipped", pool.shipped());
        return node;
    }

    private static ObjectNode scheduler(SchedulerScore score, SchedulerRuns runs) {
        ObjectNode node = JSON.objectNode();
        node.put("name", score.name());
        node.put("kind", Schedulers.kind(score.name()));
        node.put("jobs", score.jobs());
        if (runs.rejected() > 0) {
            node.put("rejected", runs.rejected());
        }
        if (runs.timedOut() > 0) {
            node.put("timed_out", runs.timedOut());
        }
        node.set("jct_s", FiguresJson.distribution(score.jct()));
        node.set("makespan_s", decimal(score.makespan()));
        node.set("slowdown_mean", decimal(score.slowdownMean()));
        node.set("gpu_utilisation", decimal(score.gpuUtilisation()));
        node.put("preemptions", score.preemptions());
        node.put("decisions", score.decisions());
        node.put("event_log_sha256", score.eventLogSha256());
        FiguresJson.add(node, score.figures(), runs.episodes());
        return node;
    }

    private static ObjectNode ranking(BlockRanking ranking) {
        ObjectNode node = JSON.objectNode();
        node.put("metric", ranking.metric().label());
        node.put("method", BlockRanking.METHOD);
        ArrayNode rows = node.putArray("schedulers");
        for (BlockRanking.Row row : ranking.rows()) {
            ObjectNode one = rows.addObject();
            one.put("name", row.name());
            one.set("value", decimal(row.ranked().value()));
            one.set("interval", bounds(row.ranked().bounds()));
            one.set("from_best", bounds(row.ranked().fromBest()));
            one.put("too_close_to_call", row.ranked().isLevel());
            one.set("jct_mean_interval", bounds(row.meanJctBounds()));
        }
        return node;
    }

    private static JsonNode bounds(BlockBootstrap.@Nullable Bounds bounds) {
        return bounds == null
                ? JSON.nullNode()
                : JSON.arrayNode().add(decimal(bounds.low())).add(decimal(bounds.high()));
    }

    private static JsonNode comparison(Evaluation evaluation) {
        if (evaluation.reference() == null) {
            return JSON.nullNode();
        }
        ObjectNode node = JSON.objectNode();
        node.put("reference", evaluation.reference());
        node.put("episodes", evaluation.episodes());
        node.set("level", decimal(PairedComparison.LEVEL));
        node.put("method", PairedComparison.METHOD);
        node.put("correction", PairedComparison.CORRECTION);
        node.put("windows_overlap", evaluation.sample().overlapping());
        ArrayNode schedulers = node.putArray("schedulers");
        for (PairedComparison comparison : evaluation.comparisons()) {
            ObjectNode one = schedulers.addObject();
            one.put("name", comparison.name());
            difference(one, comparison);
        }
        return node;
    }

    private static void difference(ObjectNode node, PairedComparison comparison) {
        node.set("jct_difference_percent", decimal(comparison.mean()));
        interval(node, comparison.interval());
        PairedComparison.Significance significance = comparison.significance();
        node.set("p", significance == null ? JSON.nullNode() : decimal(significance.p()));
        node.set("p_corrected", significance == null ? JSON.nullNode() : decimal(significance.corrected()));
        node.put("verdict", comparison.conclusion());
        if (comparison.conclusion().equals(PairedComparison.NOT_SHOWN)) {
            node.put("reason", "the interval excludes zero, but not once corrected for all rows");
        }
    }

    private static void interval(ObjectNode node, PairedComparison.@Nullable Interval interval) {
        if (interval == null) {
            node.putNull("interval");
        } else {
            node.putArray("interval").add(decimal(interval.low())).add(decimal(interval.high()));
        }
    }

    public static JsonNode decimal(double value) {
        BigDecimal rounded = new BigDecimal(value).setScale(DECIMALS, RoundingMode.HALF_EVEN);
        return JSON.numberNode(rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros());
    }
}
