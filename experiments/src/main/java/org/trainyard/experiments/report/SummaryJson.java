package org.trainyard.experiments.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.Headroom;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.evaluation.SeedPool;
import org.trainyard.experiments.io.AtomicFiles;

/**
 * {@code summary.json}: the same bytes for the same results, keys in a fixed order, times in seconds as plain decimals of at most
 * nine places.
 *
 * <p>Beside config, seed and schedulers it holds {@code comparison}: {@code {"reference", "episodes", "level", "method", "schedulers":
 * [{"name", "jct_difference_percent", "interval": [low, high] | null, "verdict"}]}}, or null without a heuristic; and {@code duels}: every trained policy {@code against} every other scheduler, the same way.
 * With several seeds of one policy there is {@code pool}: {@code {"name", "method", "seeds": [name]}}, and the pool's intervals are by that
 * method; with {@code --headroom} there is {@code headroom}: {@code {"against", "lines": [{"name", "meaning", "jct_mean", "percent",
 * "episodes": [mean JCT]}]}}.
 */
public final class SummaryJson {
    private static final int DECIMALS = 9;
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private SummaryJson() {}

    public static void write(Path file, JsonNode config, long seed, Evaluation evaluation) {
        write(file, config, seed, evaluation, null);
    }

    /** The same with the room that is left, when somebody asked. */
    public static void write(
            Path file, JsonNode config, long seed, Evaluation evaluation, @Nullable Headroom headroom) {
        ObjectNode tree = tree(config, seed, evaluation);
        if (headroom != null) {
            tree.set("headroom", headroom(headroom));
        }
        AtomicFiles.write(file, pretty(tree));
    }

    /** The whole file. */
    public static String text(JsonNode config, long seed, Evaluation evaluation) {
        return pretty(tree(config, seed, evaluation));
    }

    /** The same as a tree, for those who add to it. */
    public static ObjectNode tree(JsonNode config, long seed, Evaluation evaluation) {
        ObjectNode root = JSON.objectNode();
        root.set("config", config);
        root.put("seed", seed);
        ArrayNode schedulers = root.putArray("schedulers");
        for (SchedulerScore score : evaluation.scores()) {
            schedulers.add(scheduler(score));
        }
        root.set("comparison", comparison(evaluation));
        ArrayNode duels = root.putArray("duels");
        for (PairedComparison duel : evaluation.duels()) {
            ObjectNode one = duels.addObject();
            one.put("name", duel.name());
            one.put("against", duel.reference());
            difference(one, duel);
        }
        if (evaluation.pool() != null) {
            root.set("pool", pool(evaluation.pool()));
        }
        return root;
    }

    private static ObjectNode pool(SeedPool pool) {
        ObjectNode node = JSON.objectNode();
        node.put("name", pool.name());
        node.put("method", PairedComparison.POOLED_METHOD);
        ArrayNode seeds = node.putArray("seeds");
        pool.seeds().forEach(seed -> seeds.add(seed.name()));
        return node;
    }

    private static ObjectNode headroom(Headroom headroom) {
        ObjectNode node = JSON.objectNode();
        node.put("against", headroom.against());
        ArrayNode lines = node.putArray("lines");
        for (Headroom.Line line : headroom.lines()) {
            ObjectNode one = lines.addObject();
            one.put("name", line.name());
            one.put("meaning", line.meaning());
            one.set("jct_mean", decimal(line.meanSeconds()));
            one.set("percent", decimal(line.percent()));
            ArrayNode episodes = one.putArray("episodes");
            line.seconds().forEach(seconds -> episodes.add(decimal(seconds)));
        }
        return node;
    }

    /** Any tree as this project writes JSON: two spaces, {@code \n} on every system, plain decimals, a newline at the end. */
    public static String pretty(JsonNode tree) {
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer =
                new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter);
        ObjectWriter writer = JsonMapper.builder()
                .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
                .build()
                .writer(printer);
        try {
            return writer.writeValueAsString(tree) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can always be written", e);
        }
    }

    private static ObjectNode scheduler(SchedulerScore score) {
        ObjectNode node = JSON.objectNode();
        node.put("name", score.name());
        node.put("jobs", score.jobs());
        ObjectNode jct = node.putObject("jct");
        jct.set("mean", decimal(score.jct().mean()));
        jct.set("median", decimal(score.jct().median()));
        jct.set("p95", decimal(score.jct().p95()));
        jct.set("p99", decimal(score.jct().p99()));
        node.set("makespan", decimal(score.makespan()));
        node.set("queueing_delay_mean", decimal(score.queueingDelayMean()));
        node.set("slowdown_mean", decimal(score.slowdownMean()));
        node.set("gpu_utilisation", decimal(score.gpuUtilisation()));
        node.put("preemptions", score.preemptions());
        node.put("decisions", score.decisions());
        node.put("event_log_sha256", score.eventLogSha256());
        return node;
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
        PairedComparison.Interval interval = comparison.interval();
        if (interval == null) {
            node.putNull("interval");
        } else {
            node.putArray("interval").add(decimal(interval.low())).add(decimal(interval.high()));
        }
        node.put("verdict", comparison.verdict().word());
    }

    private static JsonNode decimal(double value) {
        BigDecimal rounded = new BigDecimal(value).setScale(DECIMALS, RoundingMode.HALF_EVEN);
        return JSON.numberNode(rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros());
    }
}
