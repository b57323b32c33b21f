package org.trainyard.experiments.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.trainyard.experiments.io.JsonText;

/**
 * The {@code summary.json} of jobs that arrive and never end: {@code {"config", "seed", "schedulers": [{"name",
 * "jobs", "rejected", "allocated_percent", "fragmented_percent", "fragmented_of_free_percent",
 * "event_log_sha256"}]}}.
 *
 * <p>Element i of a curve is its value when i per cent of the cluster's GPUs have been demanded; see
 * {@link ArrivalsRun}. Numbers are plain decimals with four places.
 */
final class ArrivalsJson {
    private static final int DECIMALS = 4;

    private ArrivalsJson() {}

    /** The whole file. */
    static String text(JsonNode config, long seed, List<ArrivalsRun> runs) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.set("config", config);
        root.put("seed", seed);
        ArrayNode schedulers = root.putArray("schedulers");
        for (ArrivalsRun run : runs) {
            ObjectNode node = schedulers.addObject();
            node.put("name", run.policy());
            node.put("jobs", run.jobs());
            node.put("rejected", run.rejected());
            curve(node.putArray("allocated_percent"), run.allocatedPercent());
            curve(node.putArray("fragmented_percent"), run.fragmentedPercent());
            curve(node.putArray("fragmented_of_free_percent"), run.fragmentedOfFreePercent());
            node.put("event_log_sha256", run.eventLogSha256());
        }
        return JsonText.pretty(root);
    }

    private static void curve(ArrayNode node, List<Double> values) {
        for (double value : values) {
            BigDecimal rounded = new BigDecimal(value).setScale(DECIMALS, RoundingMode.HALF_EVEN);
            node.add(rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros());
        }
    }
}
