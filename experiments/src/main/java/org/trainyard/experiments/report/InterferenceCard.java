package org.trainyard.experiments.report;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.SourceFile;
import org.trainyard.interference.fit.InterferenceFit;
import org.trainyard.interference.validation.CampaignRepeat;
import org.trainyard.interference.validation.HeldOutPrediction;
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
    private final InterferenceErrors errors;

    /** The card of a fit; {@code repeats} are campaigns that its data can be held against. */
    public InterferenceCard(InterferenceFit.Result result, List<CampaignRepeat> repeats) {
        this.result = result;
        errors = new InterferenceErrors(result, repeats);
    }

    /** Every score by split, domain and model, and the noise floor, for machines. */
    public Map<String, Object> json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("model", result.fitted().kind().label());
        all.put("seed", result.fitted().seed());
        all.put("seeds", result.again().size() + 1);
        all.put("sources", result.table().sources());
        all.putAll(errors.json());
        return all;
    }

    /** The table of errors as text. */
    public void print(PrintWriter out) {
        out.println("Errors of the ratio (rate beside a neighbour / rate alone) on rows not trained on");
        for (List<String> line : errors.lines()) {
            out.println(String.format(Locale.ROOT, "%-41s %-28s %-9s %6s %7s %14s %7s %6s %6s %7s", line.toArray()));
        }
        errors.campaigns().forEach(out::println);
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
        errors.lines()
                .forEach(cells -> page.append("<tr><td>")
                        .append(String.join(
                                "</td><td>",
                                cells.stream().map(InterferenceCard::escape).toList()))
                        .append("</td></tr>"));
        page.append("</table><h2>Noise</h2><ul>");
        errors.campaigns()
                .forEach(said -> page.append("<li>").append(escape(said)).append("</li>"));
        page.append("</ul><h2>By victim's architecture, random rows</h2>").append(byArchitecture());
        page.append("<h2>Measured over predicted ratio</h2>");
        for (Split split : Split.values()) {
            page.append(ScatterSvg.of(split.title(), ours(split)));
        }
        return page.append("</body></html>\n").toString();
    }

    private String byArchitecture() {
        Map<String, List<HeldOutPrediction>> by = new TreeMap<>();
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

    private List<HeldOutPrediction> ours(Split split) {
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
