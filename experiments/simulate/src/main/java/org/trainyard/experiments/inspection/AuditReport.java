package org.trainyard.experiments.inspection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.trainyard.experiments.report.HtmlReport;

/** The audit of a log as an HTML page with charts. */
public final class AuditReport {
    private AuditReport() {}

    /**
     * The whole page; the same bytes for the same audit.
     *
     * @param audit what {@code inspect --json} prints of a log
     */
    public static String html(JsonNode audit) {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.put(
                "title",
                audit.path("name").asText() + ", a log of format "
                        + audit.path("format").asText());
        data.set("log", audit);
        return HtmlReport.page(data);
    }
}
