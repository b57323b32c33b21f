package org.trainyard.experiments.papers.claims;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.trainyard.experiments.io.TextTable;

/** Rows of the record book as text and as Markdown. */
public final class RecordTable {
    private static final int SHOWN = 12;

    private RecordTable() {}

    private static List<String> header() {
        return List.of("scheduler", "rules", "published", "ours", "interval", "unit", "SHA-256");
    }

    private static List<String> cells(ClaimRow row) {
        Evidence evidence = Objects.requireNonNull(row.evidence(), row::claim);
        return List.of(
                row.claim(),
                evidence.rules(),
                number(evidence.published()),
                number(row.ours()),
                row.interval() == null
                        ? ""
                        : "%s .. %s"
                                .formatted(
                                        number(row.interval().low()),
                                        number(row.interval().high())),
                row.unit(),
                evidence.sha256().substring(0, Math.min(SHOWN, evidence.sha256().length())));
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, Math.abs(value) < 100 ? "%,.2f" : "%,.0f", value);
    }

    /** Prints a table of text. */
    public static void print(List<ClaimRow> rows, PrintWriter out) {
        TextTable table = new TextTable(header().toArray(String[]::new));
        rows.forEach(row -> table.add(cells(row).toArray(String[]::new)));
        table.print(out);
        rows.stream()
                .filter(row -> !row.reason().isEmpty())
                .forEach(row -> out.println("%s: %s.".formatted(row.claim(), row.reason())));
    }

    /** A Markdown table with remarks. */
    public static String markdown(List<ClaimRow> rows) {
        StringBuilder text = new StringBuilder(
                "| %s | remark |\n|---|---|--:|--:|---|---|---|---|\n".formatted(String.join(" | ", header())));
        for (ClaimRow row : rows) {
            text.append("| %s | %s |\n".formatted(String.join(" | ", cells(row)), row.reason()));
        }
        return text.toString();
    }
}
