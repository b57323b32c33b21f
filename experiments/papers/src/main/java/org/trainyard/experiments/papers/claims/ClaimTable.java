package org.trainyard.experiments.papers.claims;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.evaluation.PairedComparison.Interval;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.TextTable;

/** Rows of claims as text, as Markdown and as one JSON array. */
public final class ClaimTable {
    private ClaimTable() {}

    /** The titles of the columns of {@link #cells}. */
    public static List<String> header() {
        return List.of("system", "claim", "ours", "interval", "unit", "verdict");
    }

    public static List<String> cells(ClaimRow row) {
        return List.of(
                row.system(),
                row.claim(),
                number(row.ours()),
                row.interval() == null ? "" : text(row.interval()),
                row.unit(),
                row.verdict().words());
    }

    private static String text(Interval interval) {
        return "%s .. %s".formatted(number(interval.low()), number(interval.high()));
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%+.1f", value);
    }

    /** Prints a table of text. */
    public static void print(List<ClaimRow> rows, PrintWriter out) {
        TextTable table = new TextTable(header().toArray(String[]::new));
        rows.forEach(row -> table.add(cells(row).toArray(String[]::new)));
        table.print(out);
    }

    /** A Markdown table with the reasons. */
    public static String markdown(List<ClaimRow> rows) {
        StringBuilder text = new StringBuilder(
                "| %s | remark |\n|---|---|--:|--:|---|---|---|\n".formatted(String.join(" | ", header())));
        for (ClaimRow row : rows) {
            text.append("| %s | %s |\n".formatted(String.join(" | ", cells(row)), row.reason()));
        }
        return text.toString();
    }

    /** One JSON array with an object for each row. */
    public static String json(List<ClaimRow> rows) {
        List<Map<String, @Nullable Object>> objects = new ArrayList<>();
        for (ClaimRow row : rows) {
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            object.put("system", row.system());
            object.put("claim", row.claim());
            object.put("ours", Double.isNaN(row.ours()) ? null : row.ours());
            object.put("unit", row.unit());
            Interval interval = row.interval();
            object.put("interval", interval == null ? null : List.of(interval.low(), interval.high()));
            object.put("verdict", row.verdict().words());
            object.put("reason", row.reason());
            object.put("command", row.command());
            Evidence evidence = row.evidence();
            if (evidence != null) {
                object.put("published", Double.isNaN(evidence.published()) ? null : evidence.published());
                object.put("rules", evidence.rules());
                object.put("sha256", evidence.sha256());
            }
            objects.add(object);
        }
        return JsonText.pretty(JsonText.tree(objects));
    }

    /** The rows of such an array. */
    public static List<ClaimRow> read(String json) {
        List<ClaimRow> rows = new ArrayList<>();
        for (JsonNode row : JsonText.read(json)) {
            JsonNode ends = row.path("interval");
            rows.add(new ClaimRow(
                    row.path("system").asText(),
                    row.path("claim").asText(),
                    row.path("ours").asDouble(Double.NaN),
                    row.path("unit").asText(),
                    ends.isArray()
                            ? new Interval(ends.path(0).asDouble(), ends.path(1).asDouble())
                            : null,
                    ClaimVerdict.of(row.path("verdict").asText()),
                    row.path("reason").asText(),
                    row.path("command").asText(),
                    row.has("rules")
                            ? new Evidence(
                                    row.path("published").asDouble(Double.NaN),
                                    row.path("rules").asText(),
                                    row.path("sha256").asText())
                            : null));
        }
        return rows;
    }
}
