package org.trainyard.interference.fitted;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.MeasurementTable;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.pair.AdditiveBaseline;
import org.trainyard.interference.pair.BlendModel;
import org.trainyard.interference.pair.MeanBaseline;
import org.trainyard.interference.pair.PairModel;
import org.trainyard.interference.pair.PairTrainer;
import org.trainyard.interference.validation.CrossValidation;
import org.trainyard.interference.validation.Guess;
import org.trainyard.interference.validation.Intervals;
import org.trainyard.interference.validation.Split;

/** Cross-validates the models on a table, then trains one of them on all of it. */
public final class InterferenceFit {
    /** Fewest rows of a scope that a model is fitted to. */
    public static final int LEAST_ROWS = 20;

    /**
     * A predictor with everything it was judged by.
     *
     * @param guesses by split, then by model: what each said of every row when it had not seen it
     */
    public record Result(
            FittedInterference fitted, MeasurementTable table, Map<Split, Map<String, List<Guess>>> guesses) {}

    private InterferenceFit() {}

    /** Fits; {@code progress} is told what is being done. All of {@code candidates} are judged beside the baselines. */
    public static Result fit(
            MeasurementTable table, ModelKind kind, List<ModelKind> candidates, long seed, Consumer<String> progress) {
        Map<String, PairTrainer> trainers = new LinkedHashMap<>();
        trainers.put("mean", MeanBaseline::train);
        trainers.put("additive", AdditiveBaseline::train);
        candidates.forEach(candidate -> trainers.putAll(candidate.parts()));
        trainers.putAll(kind.parts());
        List<String> blended = trainers.keySet().containsAll(ModelKind.blended()) ? ModelKind.blended() : List.of();
        List<Scope> scopes = scopes(table);
        Map<Split, Map<String, List<Guess>>> guesses = new EnumMap<>(Split.class);
        for (Split split : Split.values()) {
            Map<String, List<Guess>> ofSplit = new LinkedHashMap<>();
            for (Scope scope : scopes) {
                progress.accept("%s, %s".formatted(split.title(), scope.label()));
                CrossValidation.run(table.of(scope), split, trainers, blended, seed)
                        .forEach((name, its) -> ofSplit.computeIfAbsent(name, key -> new ArrayList<>())
                                .addAll(its));
            }
            guesses.put(split, ofSplit);
        }
        Map<Scope, PairModel> models = new EnumMap<>(Scope.class);
        for (Scope scope : scopes) {
            progress.accept("all rows, %s".formatted(scope.label()));
            models.put(scope, train(kind, table.of(scope), seed));
        }
        FittedInterference fitted = FittedInterference.of(
                kind,
                seed,
                models,
                intervals(guesses, Split.RANDOM, kind),
                intervals(guesses, Split.TYPES, kind),
                table);
        return new Result(fitted, table, guesses);
    }

    /** The scopes with enough rows for folds. */
    private static List<Scope> scopes(MeasurementTable table) {
        return table.domains().stream()
                .map(Domain::scope)
                .distinct()
                .filter(scope -> table.of(scope).size() >= LEAST_ROWS)
                .toList();
    }

    private static PairModel train(ModelKind kind, List<Measurement> rows, long seed) {
        List<PairModel> parts = kind.parts().values().stream()
                .map(trainer -> trainer.train(rows, seed))
                .toList();
        return parts.size() == 1 ? parts.get(0) : new BlendModel(parts.get(0), parts.get(1));
    }

    private static Map<Domain, Intervals> intervals(
            Map<Split, Map<String, List<Guess>>> guesses, Split split, ModelKind kind) {
        Map<Domain, List<Guess>> byDomain = new TreeMap<>();
        for (Guess guess : guesses.getOrDefault(split, Map.of()).getOrDefault(kind.label(), List.of())) {
            byDomain.computeIfAbsent(guess.row().domain(), domain -> new ArrayList<>())
                    .add(guess);
        }
        Map<Domain, Intervals> intervals = new TreeMap<>();
        byDomain.forEach((domain, its) -> intervals.put(domain, Intervals.of(its)));
        return intervals;
    }
}
