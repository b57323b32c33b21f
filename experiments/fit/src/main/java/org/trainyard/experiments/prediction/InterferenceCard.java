package org.trainyard.experiments.prediction;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.report.HtmlReport;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.errors.CampaignRepeat;
import org.trainyard.interference.errors.Score;
import org.trainyard.interference.errors.Split;
import org.trainyard.interference.fitting.InterferenceFit;
import org.trainyard.interference.validation.HeldOutPrediction;

/**
 * The model card of a fitted interference predictor, as an HTML page, as JSON and as text: its data, its errors,
 * the noise of its data.
 */
public final class InterferenceCard {
    private final InterferenceFit.Result result;
    private final InterferenceErrors errors;

    /** The card of a fit; {@code repeats} are comparisons of measuring campaigns on the same pairs. */
    public InterferenceCard(InterferenceFit.Result result, List<CampaignRepeat> repeats) {
        this.result = result;
        errors = new InterferenceErrors(result, repeats);
    }

    /** All scores by split, domain and model, and the noise floor, as JSON. */
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

    /** The card as one HTML page, which loads nothing. */
    public String html() {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.put("title", "Interference: " + result.fitted().kind().label());
        ObjectNode card = data.putObject("interference");
        card.put("seed", result.fitted().seed());
        card.set("sources", JsonText.tree(result.table().sources()));
        card.set("errors", JsonText.tree(errors.lines()));
        card.set("noise", JsonText.tree(errors.campaigns()));
        byArchitecture(card.putArray("architectures"));
        ArrayNode scatter = card.putArray("scatter");
        for (Split split : Split.values()) {
            ArrayNode points = scatter.addObject().put("title", split.title()).putArray("points");
            ours(split)
                    .forEach(prediction -> points.addArray()
                            .add(prediction.ratio())
                            .add(prediction.row().ratio()));
        }
        return HtmlReport.page(data);
    }

    private void byArchitecture(ArrayNode architectures) {
        Map<String, List<HeldOutPrediction>> by = new TreeMap<>();
        for (HeldOutPrediction prediction : ours(Split.RANDOM)) {
            Measurement row = prediction.row();
            by.computeIfAbsent(row.victim().architecture() + ", " + row.domain(), key -> new ArrayList<>())
                    .add(prediction);
        }
        by.forEach((name, predictions) -> {
            Score score = Score.of(predictions, Double.NaN);
            architectures
                    .addObject()
                    .put("name", name)
                    .put("rows", score.rows())
                    .put("rmse", score.rmse())
                    .put("mape", score.mape());
        });
    }

    private List<HeldOutPrediction> ours(Split split) {
        return result.guesses()
                .getOrDefault(split, Map.of())
                .getOrDefault(result.fitted().kind().label(), List.of());
    }

    /** The fitted data as CSV, a row for each measurement. */
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
}
