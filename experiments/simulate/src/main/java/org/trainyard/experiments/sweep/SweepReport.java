package org.trainyard.experiments.sweep;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.trainyard.experiments.report.HtmlReport;
import org.trainyard.experiments.report.SummaryJson;

/** A sweep as an HTML page: parallel coordinates of all runs, and a table, best first. */
public final class SweepReport {
    private SweepReport() {}

    /**
     * A run, or of several schedulers one.
     *
     * @param number of the run, from 1
     * @param values of the keys
     * @param score that is to be low
     */
    public record Run(int number, List<String> values, String scheduler, double score) {}

    /**
     * The whole page; the same bytes for the same content.
     *
     * @param runs best first
     * @param measure name and unit of the score
     * @param command that repeats the best run
     */
    public static String html(
            String title, String config, List<String> keys, List<Run> runs, String measure, String command) {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.put("title", title);
        data.put("configuration", config);
        ObjectNode sweep = data.putObject("sweep");
        keys.forEach(sweep.putArray("keys")::add);
        sweep.put("measure", measure);
        sweep.put("command", command);
        ArrayNode list = sweep.putArray("runs");
        for (Run run : runs) {
            ObjectNode one = list.addObject().put("run", run.number()).put("scheduler", run.scheduler());
            run.values().forEach(one.putArray("values")::add);
            one.set("score", SummaryJson.decimal(run.score()));
        }
        return HtmlReport.page(data);
    }
}
