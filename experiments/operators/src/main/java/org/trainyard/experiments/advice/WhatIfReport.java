package org.trainyard.experiments.advice;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.report.HtmlReport;
import org.trainyard.experiments.report.TimelineJson;

/** A {@link WhatIfAnswer} with the cluster over time after each change: {@code what-if.html}. */
public final class WhatIfReport {
    private WhatIfReport() {}

    /** Writes the page and the answer for machines. */
    public static void write(Path folder, String title, WhatIfAnswer answer) {
        ObjectNode data = JsonNodeFactory.instance.objectNode().put("title", title);
        ObjectNode node = data.putObject("advice").put("trust", "");
        answer.sentences().forEach(node.putArray("sentences")::add);
        ArrayNode rows = node.putArray("table");
        answer.table().rows().forEach(row -> row.forEach(rows.addArray()::add));
        node.putArray("footnotes").add("Waits: time between submission and end without GPUs.");
        node.putArray("wait_by_size");
        data.set("timelines", TimelineJson.of(answer.timelines()));
        AtomicFiles.write(folder.resolve("what-if.json"), answer.json());
        AtomicFiles.write(folder.resolve("what-if.html"), HtmlReport.page(data));
    }
}
