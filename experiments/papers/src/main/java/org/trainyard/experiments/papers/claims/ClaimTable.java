package org.trainyard.experiments.papers.claims;

import static org.trainyard.experiments.io.CellFormat.number;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.trainyard.experiments.evaluation.PairedComparison.Interval;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.JsonText;

/** Rows of claims and of the record book as tables, as CSV and as one JSON array. */
public final class ClaimTable {
    private static final String BEYOND_SHOWN = "^(.{12}).*";

    private ClaimTable() {}

    private static AnswerTable<ClaimRow> claims(List<ClaimRow> rows) {
        return AnswerTable.of(rows)
                .text("system", ClaimRow::system)
                .text("claim", ClaimRow::claim)
                .text("ours", row -> change(row.ours()))
                .text(
                        "interval",
                        row -> row.interval() == null ? "" : row.interval().text(ClaimTable::change))
                .text("unit", ClaimRow::unit)
                .text("verdict", row -> row.verdict().words());
    }

    private static String change(double value) {
        return Double.isNaN(value) ? "" : number("%+.1f", value);
    }

    private static AnswerTable<ClaimRow> records(List<ClaimRow> rows) {
        return AnswerTable.of(rows)
                .text("scheduler", ClaimRow::claim)
                .text("rules", row -> evidence(row).rules())
                .text("published", row -> figure(evidence(row).published()))
                .text("ours", row -> figure(row.ours()))
                .text(
                        "interval",
                        row -> row.interval() == null ? "" : row.interval().text(ClaimTable::figure))
                .text("unit", ClaimRow::unit)
                .text("SHA-256", row -> evidence(row).sha256().replaceFirst(BEYOND_SHOWN, "$1"));
    }

    private static Evidence evidence(ClaimRow row) {
        return Objects.requireNonNull(row.evidence(), row::claim);
    }

    private static String figure(double value) {
        return Double.isNaN(value) ? "" : number(Math.abs(value) < 100 ? "%,.2f" : "%,.0f", value);
    }

    public static Answer answer(List<ClaimRow> rows) {
        return new Answer().table(claims(rows));
    }

    /** Rows of the record book, with the reasons of some. */
    public static Answer ofRecords(List<ClaimRow> rows) {
        Answer answer = new Answer().table(records(rows));
        rows.stream()
                .filter(row -> !row.reason().isEmpty())
                .forEach(row -> answer.say("%s: %s.".formatted(row.claim(), row.reason())));
        return answer;
    }

    /** Claims as CSV, with the reasons and the commands. */
    public static String csv(List<ClaimRow> rows) {
        return claims(rows)
                .text("remark", ClaimRow::reason)
                .text("command", ClaimRow::command)
                .csv();
    }

    /** Records as CSV, with the reasons; the last column is the record's name. */
    public static String csvOfRecords(List<ClaimRow> rows) {
        return records(rows)
                .text("remark", ClaimRow::reason)
                .text("record", ClaimRow::system)
                .csv();
    }

    /** One JSON array with an object for each row. */
    public static String json(List<ClaimRow> rows) {
        return JsonText.pretty(rows);
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
                    row.has("rival")
                            ? new Yardstick(
                                    row.path("published").asDouble(Double.NaN),
                                    row.path("rival").asDouble(),
                                    row.path("better").asText().equals(Yardstick.LESS))
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
