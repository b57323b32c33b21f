package org.trainyard.experiments.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.timeline.JobHistories;
import org.trainyard.experiments.timeline.RunTimeline;
import org.trainyard.experiments.timeline.Series;

/**
 * The runs of first episodes over time, as the charts of {@code report.html} read them.
 *
 * <p>{@code {"episodes", "cluster": {"servers": [name], "gpus": [GPUs], "racks": [rack]}, "runs": [{"scheduler",
 * "to": [s], "from", "figures": {name: [mean]}, "cut", "jobs": [{"job", "gpus", "steps": [[s, event, server, GPUs
 * held there, …]]}]}]}}; {@code runs} is empty when nothing was recorded, and a run of which nobody knows where its
 * jobs ran has no {@code jobs}.
 */
public final class TimelineJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final MathContext DIGITS = new MathContext(5);

    private TimelineJson() {}

    public static ObjectNode of(List<RunTimeline> timelines) {
        ObjectNode root = JSON.objectNode();
        ArrayNode runs = root.putArray("runs");
        if (timelines.isEmpty()) {
            return root;
        }
        root.put(
                "episodes",
                timelines.stream().mapToInt(RunTimeline::episode).max().orElse(0) + 1);
        root.set("cluster", cluster(timelines.get(0).topology()));
        timelines.stream().filter(one -> one.episode() == 0).forEach(one -> runs.add(run(one)));
        return root;
    }

    private static ObjectNode cluster(Topology topology) {
        ObjectNode node = JSON.objectNode();
        ArrayNode servers = node.putArray("servers");
        ArrayNode gpus = node.putArray("gpus");
        ArrayNode racks = node.putArray("racks");
        for (int server = 0; server < topology.servers(); server++) {
            servers.add(topology.serverName(server));
            gpus.add(topology.gpusOn(server));
            racks.add(topology.rackOf(server));
        }
        return node;
    }

    private static ObjectNode run(RunTimeline timeline) {
        ObjectNode node = JSON.objectNode().put("scheduler", timeline.scheduler());
        Series series = timeline.series();
        node.put("from", series.fromNanos(0) / 1e9);
        ArrayNode to = node.putArray("to");
        ObjectNode figures = node.putObject("figures");
        for (int i = 0; i < series.size(); i++) {
            to.add(series.toNanos(i) / 1e9);
        }
        for (String name : series.names()) {
            ArrayNode means = figures.putArray(name);
            for (int i = 0; i < series.size(); i++) {
                means.add(rounded(series.mean(name, i)));
            }
        }
        JobHistories histories = timeline.jobs();
        if (histories != null) {
            node.put("cut", histories.isCut());
            ArrayNode jobs = node.putArray("jobs");
            histories.histories().forEach(history -> jobs.add(job(history)));
        }
        return node;
    }

    private static BigDecimal rounded(double mean) {
        BigDecimal rounded = new BigDecimal(mean).round(DIGITS);
        return rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros();
    }

    private static ObjectNode job(JobHistories.History history) {
        ObjectNode node = JSON.objectNode()
                .put("job", history.job().name())
                .put("gpus", history.job().gpus());
        ArrayNode steps = node.putArray("steps");
        for (JobHistories.Step step : history.steps()) {
            ArrayNode one =
                    steps.addArray().add(step.timeNanos() / 1e9).add(step.kind().name());
            step.servers().forEach(one::add);
        }
        return node;
    }
}
