package org.trainyard.experiments.report;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.MeasurementTable;
import org.trainyard.interference.data.SourceFile;
import org.trainyard.interference.fitted.InterferenceFit;
import org.trainyard.interference.validation.Guess;
import org.trainyard.interference.validation.Intervals;
import org.trainyard.interference.validation.Score;
import org.trainyard.interference.validation.Split;

/** What a fitted predictor was made of and how wrong it is: as a page, as JSON, as text. */
public final class InterferenceCard {
    private static final String HEAD = """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Model card: interference</title><style>
            body{font:15px/1.45 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222}
            table{border-collapse:collapse;margin:.6em 0}td,th{padding:.15em .7em;text-align:right;border-bottom:1px solid #ddd}
            td:first-child,th:first-child,td:nth-child(2),th:nth-child(2){text-align:left}svg{margin-right:1em}
            </style></head><body>
            """;

    private final InterferenceFit.Result result;
    private final Map<Split, Map<Domain, Map<String, Score>>> scores = new EnumMap<>(Split.class);

    public InterferenceCard(InterferenceFit.Result result) {
        this.result = result;
        result.guesses()
                .forEach((split, byModel) -> byModel.forEach((model, guesses) -> {
                    Map<Domain, List<Guess>> byDomain = new TreeMap<>();
                    guesses.forEach(
                            guess -> byDomain.computeIfAbsent(guess.row().domain(), domain -> new ArrayList<>())
                                    .add(guess));
                    byDomain.forEach((domain, its) -> scores.computeIfAbsent(split, key -> new TreeMap<>())
                            .computeIfAbsent(domain, key -> new LinkedHashMap<>())
                            .put(model, Score.of(its, Intervals.coverage(its))));
                }));
    }

    /** Every score by split, domain and model, and the noise floor, for machines. */
    public Map<String, Object> json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("model", result.fitted().kind().label());
        all.put("seed", result.fitted().seed());
        all.put("sources", result.table().sources());
        scores.forEach((split, byDomain) -> {
            Map<String, Object> domains = new LinkedHashMap<>();
            byDomain.forEach((domain, byModel) -> domains.put(domain.toString(), byModel));
            all.put(split.name().toLowerCase(Locale.ROOT), domains);
        });
        all.put("campaigns disagree by (RMSE of the ratio)", disagreements());
        return all;
    }

    private Map<String, Double> disagreements() {
        Map<String, Double> all = new LinkedHashMap<>();
        MeasurementTable table = result.table();
        for (Domain domain : table.domains()) {
            List<String> campaigns = List.copyOf(new TreeSet<>(table.rows().stream()
                    .filter(row -> row.domain().equals(domain))
                    .map(Measurement::source)
                    .toList()));
            for (int i = 0; i < campaigns.size(); i++) {
                for (int k = i + 1; k < campaigns.size(); k++) {
                    double difference = table.disagreement(domain, campaigns.get(i), campaigns.get(k));
                    if (!Double.isNaN(difference)) {
                        all.put("%s: %s, %s".formatted(domain, campaigns.get(i), campaigns.get(k)), difference);
                    }
                }
            }
        }
        return all;
    }

    /** The table of errors as text. */
    public void print(PrintWriter out) {
        out.println("Errors of the ratio (rate beside a neighbour / rate alone) on rows not trained on");
        for (String line : lines(
                cells -> String.format(Locale.ROOT, "%-28s %-28s %-9s %6s %7s %7s %6s %6s %6s", cells.toArray()))) {
            out.println(line);
        }
        disagreements()
                .forEach((name, rmse) ->
                        out.println(String.format(Locale.ROOT, "campaigns disagree, %s: RMSE %.3f", name, rmse)));
    }

    private List<String> lines(Function<List<String>, String> form) {
        List<String> lines = new ArrayList<>();
        lines.add(form.apply(List.of("split", "scope", "model", "rows", "RMSE", "MAPE %", "rank", "slope", "in 90 %")));
        scores.forEach((split, byDomain) ->
                byDomain.forEach((domain, byModel) -> byModel.forEach((model, score) -> lines.add(form.apply(List.of(
                        split.title(),
                        domain.toString(),
                        model,
                        Integer.toString(score.rows()),
                        number("%.4f", score.rmse()),
                        number("%.1f", 100 * score.mape()),
                        number("%.3f", score.rankCorrelation()),
                        number("%.2f", score.slope()),
                        number("%.3f", score.coverage())))))));
        return lines;
    }

    private static String number(String form, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, form, value);
    }

    /** The card as one page that needs nothing else. */
    public String html() {
        StringBuilder page = new StringBuilder(HEAD);
        page.append("<h1>Interference: ")
                .append(escape(result.fitted().kind().label()))
                .append("</h1>");
        page.append("<p>Predicts the slowdown of a job by each neighbour; several neighbours multiply. Seed ")
                .append(result.fitted().seed())
                .append(". Never below 1, exactly 1 without neighbours, and no neighbour speeds a job up.</p>");
        page.append("<h2>Data</h2><table><tr><th>file</th><th>by</th><th>licence</th><th>rows</th><th>notes</th></tr>");
        for (SourceFile source : result.table().sources()) {
            page.append("<tr>");
            for (String cell : List.of(
                    source.file() + " sha256 " + source.sha256().substring(0, 12),
                    source.citation(),
                    source.licence(),
                    Integer.toString(source.rows()),
                    String.join("; ", source.notes()))) {
                page.append("<td>").append(escape(cell)).append("</td>");
            }
            page.append("</tr>");
        }
        page.append(
                        "</table><h2>Errors</h2><p>Of the ratio, on rows not trained on; rank is Spearman's, slope that of measured")
                .append(" over predicted, the last column the part of rows inside the 90 % interval.</p><table>");
        lines(cells -> "<tr><td>"
                        + String.join(
                                "</td><td>",
                                cells.stream().map(InterferenceCard::escape).toList()) + "</td></tr>")
                .forEach(page::append);
        page.append("</table><h2>Noise</h2><ul>");
        disagreements()
                .forEach((name, rmse) -> page.append("<li>")
                        .append(escape(name))
                        .append(String.format(Locale.ROOT, ": RMSE %.3f</li>", rmse)));
        page.append("</ul><h2>By victim's architecture, random rows</h2>").append(byArchitecture());
        page.append("<h2>Measured over predicted ratio</h2>");
        for (Split split : Split.values()) {
            page.append(ScatterSvg.of(split.title(), ours(split)));
        }
        return page.append("</body></html>\n").toString();
    }

    private String byArchitecture() {
        Map<String, List<Guess>> by = new TreeMap<>();
        ours(Split.RANDOM)
                .forEach(guess -> by.computeIfAbsent(
                                guess.row().victim().architecture() + ", "
                                        + guess.row().domain(),
                                key -> new ArrayList<>())
                        .add(guess));
        StringBuilder table =
                new StringBuilder("<table><tr><th>architecture</th><th>rows</th><th>RMSE</th><th>MAPE %</th></tr>");
        by.forEach((name, guesses) -> {
            Score score = Score.of(guesses, Double.NaN);
            table.append(String.format(
                    Locale.ROOT,
                    "<tr><td>%s</td><td>%d</td><td>%.4f</td><td>%.1f</td></tr>",
                    escape(name),
                    score.rows(),
                    score.rmse(),
                    100 * score.mape()));
        });
        return table.append("</table>").toString();
    }

    private List<Guess> ours(Split split) {
        return result.guesses()
                .getOrDefault(split, Map.of())
                .getOrDefault(result.fitted().kind().label(), List.of());
    }

    /** The table that was read, a row per measurement. */
    public String measurementsCsv() {
        StringWriter text = new StringWriter();
        try (CsvWriter writer = CsvWriter.builder().build(text)) {
            writer.writeRecord(
                    "victim",
                    "victim_architecture",
                    "neighbour",
                    "neighbour_architecture",
                    "scope",
                    "hardware",
                    "slowdown",
                    "source",
                    "weight",
                    "capped");
            for (Measurement row : result.table().rows()) {
                writer.writeRecord(
                        row.victim().label(),
                        row.victim().architecture(),
                        row.neighbour().label(),
                        row.neighbour().architecture(),
                        row.scope().label(),
                        row.hardware(),
                        Double.toString(row.slowdown()),
                        row.source(),
                        Double.toString(row.weight()),
                        Boolean.toString(row.capped()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
