package org.trainyard.experiments.prediction;

import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.report.HtmlReport;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.errors.CampaignRepeat;
import org.trainyard.interference.errors.Score;
import org.trainyard.interference.errors.Split;
import org.trainyard.interference.fitting.InterferenceFit;
import org.trainyard.interference.validation.HeldOutPrediction;

/**
 * The model card of a fitted interference predictor, as an HTML page, as JSON and as text: its data, its errors, the
 * noise of its data.
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

    private record Page(String title, Card interference) {}

    private record Card(
            long seed,
            Object sources,
            List<List<String>> errors,
            List<String> noise,
            List<Architecture> architectures,
            List<Scatter> scatter) {}

    private record Architecture(String name, int rows, double rmse, double mape) {}

    private record Scatter(String title, List<double[]> points) {}

    /** The card as one HTML page, which loads nothing. */
    public String html() {
        return HtmlReport.page(new Page(
                "Interference: " + result.fitted().kind().label(),
                new Card(
                        result.fitted().seed(),
                        result.table().sources(),
                        errors.lines(),
                        errors.campaigns(),
                        architectures(),
                        Arrays.stream(Split.values()).map(this::scatter).toList())));
    }

    private Scatter scatter(Split split) {
        return new Scatter(
                split.title(),
                ours(split).stream()
                        .map(prediction -> new double[] {
                            prediction.ratio(), prediction.row().ratio()
                        })
                        .toList());
    }

    private List<Architecture> architectures() {
        Map<String, List<HeldOutPrediction>> by = new TreeMap<>();
        for (HeldOutPrediction prediction : ours(Split.RANDOM)) {
            Measurement row = prediction.row();
            by.computeIfAbsent(row.victim().architecture() + ", " + row.domain(), key -> new ArrayList<>())
                    .add(prediction);
        }
        List<Architecture> architectures = new ArrayList<>();
        by.forEach((name, predictions) -> {
            Score score = Score.of(predictions, Double.NaN);
            architectures.add(new Architecture(name, score.rows(), score.rmse(), score.mape()));
        });
        return architectures;
    }

    private List<HeldOutPrediction> ours(Split split) {
        return result.guesses()
                .getOrDefault(split, Map.of())
                .getOrDefault(result.fitted().kind().label(), List.of());
    }

    /** The fitted data as CSV, a row for each measurement. */
    public String measurementsCsv() {
        return AnswerTable.of(result.table().rows())
                .text("victim", row -> row.victim().label())
                .text("victim_architecture", row -> row.victim().architecture())
                .text("neighbour", row -> row.neighbour().label())
                .text("neighbour_architecture", row -> row.neighbour().architecture())
                .text("scope", row -> row.scope().label())
                .text("hardware", Measurement::hardware)
                .text("slowdown", row -> Double.toString(row.slowdown()))
                .text("source", Measurement::source)
                .text("weight", row -> Double.toString(row.weight()))
                .text("capped", row -> Boolean.toString(row.capped()))
                .csv(LineDelimiter.CRLF);
    }
}
