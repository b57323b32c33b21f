package org.trainyard.experiments.prediction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.errors.CampaignRepeat;
import org.trainyard.interference.errors.Score;
import org.trainyard.interference.errors.Split;
import org.trainyard.interference.fitting.InterferenceFit;
import org.trainyard.interference.validation.HeldOutPrediction;
import org.trainyard.interference.validation.Intervals;

/**
 * The errors of a fit's models by split, domain and model, for one seed and over all seeds, beside the differences
 * between measuring campaigns.
 */
final class InterferenceErrors {
    /** Name of the row that compares two campaigns on the same pairs. */
    private static final String NOISE = "repeat";

    private record Cell(Split split, Domain domain, String model) {}

    private final Map<Split, Map<Domain, Map<String, Score>>> scores;
    private final Map<Cell, double[]> rmseBySeed = new LinkedHashMap<>();
    private final List<CampaignRepeat> repeats;

    InterferenceErrors(InterferenceFit.Result result, List<CampaignRepeat> repeats) {
        this.repeats = List.copyOf(repeats);
        scores = scores(result.guesses());
        List<Map<Split, Map<Domain, Map<String, Score>>>> again =
                result.again().stream().map(InterferenceErrors::scores).toList();
        if (!again.isEmpty()) {
            scores.forEach((split, byDomain) -> byDomain.forEach((domain, byModel) ->
                    byModel.forEach((model, score) -> spread(new Cell(split, domain, model), score.rmse(), again))));
        }
    }

    private static Map<Split, Map<Domain, Map<String, Score>>> scores(
            Map<Split, Map<String, List<HeldOutPrediction>>> guesses) {
        Map<Split, Map<Domain, Map<String, Score>>> scores = new EnumMap<>(Split.class);
        guesses.forEach((split, byModel) -> byModel.forEach((model, all) -> {
            Map<Domain, List<HeldOutPrediction>> byDomain = new TreeMap<>();
            all.forEach(guess -> byDomain.computeIfAbsent(guess.row().domain(), domain -> new ArrayList<>())
                    .add(guess));
            byDomain.forEach((domain, its) -> scores.computeIfAbsent(split, key -> new TreeMap<>())
                    .computeIfAbsent(domain, key -> new LinkedHashMap<>())
                    .put(model, Score.of(its, Intervals.coverage(its))));
        }));
        return scores;
    }

    private void spread(Cell cell, double first, List<Map<Split, Map<Domain, Map<String, Score>>>> again) {
        double[] all = new double[again.size() + 1];
        all[0] = first;
        for (int i = 1; i < all.length; i++) {
            Score score = again.get(i - 1)
                    .getOrDefault(cell.split(), Map.of())
                    .getOrDefault(cell.domain(), Map.of())
                    .get(cell.model());
            if (score == null) {
                return;
            }
            all[i] = score.rmse();
        }
        rmseBySeed.put(cell, all);
    }

    /**
     * The errors as JSON: scores by split, domain and model, RMSE by seed where there are several, and the campaigns.
     */
    Map<String, Object> json() {
        Map<String, Object> all = new LinkedHashMap<>();
        scores.forEach((split, byDomain) -> {
            Map<String, Object> domains = new LinkedHashMap<>();
            byDomain.forEach((domain, byModel) -> domains.put(domain.toString(), byModel));
            all.put(split.name().toLowerCase(Locale.ROOT), domains);
        });
        Map<String, double[]> seeds = new LinkedHashMap<>();
        rmseBySeed.forEach((cell, rmse) ->
                seeds.put("%s, %s, %s".formatted(cell.split().title(), cell.domain(), cell.model()), rmse));
        all.put("rmse by seed", seeds);
        all.put(
                "campaigns on the same pairs",
                repeats.stream().map(InterferenceErrors::json).toList());
        return all;
    }

    private static Map<String, Object> json(CampaignRepeat repeat) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("domain", repeat.domain().toString());
        all.put("first", repeat.first());
        all.put("second", repeat.second());
        all.put("measured again", repeat.measuredAgain());
        all.put("score", repeat.score());
        return all;
    }

    /** The table, headings first. */
    List<List<String>> lines() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("split", "scope", "model", "rows", "RMSE", "by seed", "MAPE %", "rank", "slope", "in 90 %"));
        scores.forEach((split, byDomain) -> byDomain.forEach((domain, byModel) -> {
            byModel.forEach((model, score) -> lines.add(
                    line(split.title(), domain, model, score, rmseBySeed.get(new Cell(split, domain, model)))));
            repeats.stream()
                    .filter(repeat -> repeat.measuredAgain() && repeat.domain().equals(domain) && split == Split.RANDOM)
                    .forEach(repeat -> lines.add(line("the same rows again", domain, NOISE, repeat.score(), null)));
        }));
        return lines;
    }

    private static List<String> line(
            String title, Domain domain, String model, Score score, double @Nullable [] seeds) {
        return List.of(
                title,
                domain.toString(),
                model,
                Integer.toString(score.rows()),
                number("%.4f", score.rmse()),
                seeds == null ? "-" : meanAndSpread(seeds),
                number("%.1f", 100 * score.mape()),
                number("%.3f", score.rankCorrelation()),
                number("%.2f", score.slope()),
                number("%.3f", score.coverage()));
    }

    /** Mean and standard deviation over the seeds. */
    private static String meanAndSpread(double[] values) {
        double mean = Arrays.stream(values).average().orElse(0);
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return String.format(Locale.ROOT, "%.4f+-%.4f", mean, Math.sqrt(squares / (values.length - 1)));
    }

    /** A sentence for each two campaigns of a domain on how far their measurements differ. */
    List<String> campaigns() {
        return repeats.stream()
                .map(repeat -> String.format(
                        Locale.ROOT,
                        repeat.measuredAgain()
                                ? "%s: %s and %s measured the same %d pairs and are %.3f apart (RMSE of the ratio, rank correlation %.3f)"
                                : "%s: %s and %s have the same rates beside neighbours for %d pairs; only rates alone differ, which moves ratios by %.3f: no repeat (rank correlation %.3f)",
                        repeat.domain(),
                        repeat.first(),
                        repeat.second(),
                        repeat.score().rows(),
                        repeat.score().rmse(),
                        repeat.score().rankCorrelation()))
                .toList();
    }

    private static String number(String form, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, form, value);
    }
}
