package org.trainyard.experiments.advice;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.report.HtmlReport;
import org.trainyard.experiments.report.SeriesCsv;
import org.trainyard.experiments.report.TimelineJson;

/** An {@link Advice} with its log over time: {@code report.html} and {@code series.csv}. */
public final class AdviceReport {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private AdviceReport() {}

    /**
     * Writes the files.
     *
     * @param title names the log and the cluster
     */
    public static void write(Path folder, String title, Advice advice, LogTimelines timelines) {
        SeriesCsv.write(folder, timelines.runs());
        AtomicFiles.write(folder.resolve("report.html"), html(title, advice, timelines));
    }

    static String html(String title, Advice advice, LogTimelines timelines) {
        ObjectNode data = JSON.objectNode().put("title", title);
        ArrayNode notes = data.putArray("notes");
        advice.notes().forEach(notes::add);
        timelines.notes().forEach(notes::add);
        data.set("advice", advice(advice, timelines.waits()));
        data.set("timelines", JsonText.tree(TimelineJson.of(timelines.runs())));
        return HtmlReport.page(data);
    }

    private static ObjectNode advice(Advice advice, List<SizeWaits> waits) {
        Reproduction reproduction = advice.reproduction();
        ObjectNode node = JSON.objectNode();
        node.put(
                "trust",
                reproduction == null
                        ? "unknown"
                        : String.valueOf(advice.trust()).toLowerCase(Locale.ROOT));
        AdviceText.sentences(advice).forEach(node.putArray("sentences")::add);
        ArrayNode rows = node.putArray("table");
        AdviceText.table(advice).rows().forEach(row -> row.forEach(rows.addArray()::add));
        AdviceText.footnotes(advice).forEach(node.putArray("footnotes")::add);
        ArrayNode sizes = node.putArray("wait_by_size");
        for (SizeWaits size : waits) {
            ObjectNode one = sizes.addObject().put("gpus", size.gpus()).put("jobs", size.jobs());
            ArrayNode schedulers = one.putArray("schedulers");
            size.waits()
                    .forEach((name, wait) -> schedulers
                            .addObject()
                            .put("name", name)
                            .put("mean", wait.mean())
                            .put("p95", wait.p95()));
        }
        return node;
    }
}
