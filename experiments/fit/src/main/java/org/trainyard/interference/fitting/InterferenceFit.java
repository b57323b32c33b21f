package org.trainyard.interference.fitting;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.trainyard.env.Invalid;
import org.trainyard.interference.candidates.PairTrainer;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.errors.AdditiveBaseline;
import org.trainyard.interference.errors.CrossValidation;
import org.trainyard.interference.errors.MeanBaseline;
import org.trainyard.interference.errors.Split;
import org.trainyard.interference.fit.FittedInterference;
import org.trainyard.interference.fit.ModelKind;
import org.trainyard.interference.measured.MeasurementTable;
import org.trainyard.interference.model.PairModel;
import org.trainyard.interference.validation.HeldOutPrediction;
import org.trainyard.interference.validation.Intervals;

/** Cross-validates models on a table, then trains one of them on all rows. */
public final class InterferenceFit {
    /** Fewest rows of a scope that a model is fitted to; scopes with fewer are left out. */
    public static final int LEAST_ROWS = 20;

    /**
     * The model to fit and the models to validate beside it.
     *
     * @param compared kinds that are validated beside the fitted one and the baselines
     * @param seed of the fit and of the first cross-validation
     * @param seeds number of cross-validations, each with the next seed; at least 1. Further ones validate the fitted
     *     kind and the baselines only
     */
    public record Order(ModelKind kind, List<ModelKind> compared, long seed, int seeds) {
        public Order {
            compared = List.copyOf(compared);
            Invalid.when(seeds < 1, "seeds (%d) must be at least 1", seeds);
        }
    }

    /**
     * A predictor with its held-out predictions.
     *
     * @param guesses held-out predictions by split, then by model
     * @param again the same for further seeds, which draw other folds
     */
    public record Result(
            FittedInterference fitted,
            MeasurementTable table,
            Map<Split, Map<String, List<HeldOutPrediction>>> guesses,
            List<Map<Split, Map<String, List<HeldOutPrediction>>>> again) {
        public Result {
            again = List.copyOf(again);
        }
    }

    private InterferenceFit() {}

    /** Fits; {@code progress} gets the name of every step. */
    public static Result fit(MeasurementTable table, Order order, Consumer<String> progress) {
        ModelKind kind = order.kind();
        Map<String, PairTrainer> trainers = baselines();
        order.compared().forEach(candidate -> trainers.put(candidate.label(), PairTrainer.of(candidate)));
        trainers.put(kind.label(), PairTrainer.of(kind));
        Map<Split, Map<String, List<HeldOutPrediction>>> guesses = judge(table, trainers, order.seed(), progress);
        Map<String, PairTrainer> own = baselines();
        own.put(kind.label(), PairTrainer.of(kind));
        List<Map<Split, Map<String, List<HeldOutPrediction>>>> again = new ArrayList<>();
        for (int i = 1; i < order.seeds(); i++) {
            long seed = order.seed() + i;
            again.add(judge(table, own, seed, step -> progress.accept("%s, seed %d".formatted(step, seed))));
        }
        Map<Scope, PairModel> models = new EnumMap<>(Scope.class);
        for (Scope scope : scopes(table)) {
            progress.accept("all rows, %s".formatted(scope.label()));
            models.put(scope, PairTrainer.of(kind).train(table.of(scope), order.seed()));
        }
        FittedInterference fitted = FittedInterference.of(
                kind,
                order.seed(),
                models,
                intervals(guesses, Split.RANDOM, kind),
                intervals(guesses, Split.TYPES, kind),
                table);
        return new Result(fitted, table, guesses, again);
    }

    private static Map<String, PairTrainer> baselines() {
        Map<String, PairTrainer> trainers = new LinkedHashMap<>();
        trainers.put("mean", MeanBaseline::train);
        trainers.put("additive", AdditiveBaseline::train);
        return trainers;
    }

    private static Map<Split, Map<String, List<HeldOutPrediction>>> judge(
            MeasurementTable table, Map<String, PairTrainer> trainers, long seed, Consumer<String> progress) {
        Map<Split, Map<String, List<HeldOutPrediction>>> guesses = new EnumMap<>(Split.class);
        for (Split split : Split.values()) {
            Map<String, List<HeldOutPrediction>> ofSplit = new LinkedHashMap<>();
            for (Scope scope : scopes(table)) {
                progress.accept("%s, %s".formatted(split.title(), scope.label()));
                CrossValidation.run(table.of(scope), split, trainers, seed)
                        .forEach((name, its) -> ofSplit.computeIfAbsent(name, key -> new ArrayList<>())
                                .addAll(its));
            }
            guesses.put(split, ofSplit);
        }
        return guesses;
    }

    /** The scopes with enough rows for folds. */
    private static List<Scope> scopes(MeasurementTable table) {
        return table.domains().stream()
                .map(Domain::scope)
                .distinct()
                .filter(scope -> table.of(scope).size() >= LEAST_ROWS)
                .toList();
    }

    private static Map<Domain, Intervals> intervals(
            Map<Split, Map<String, List<HeldOutPrediction>>> guesses, Split split, ModelKind kind) {
        Map<Domain, List<HeldOutPrediction>> byDomain = new TreeMap<>();
        for (HeldOutPrediction guess : guesses.getOrDefault(split, Map.of()).getOrDefault(kind.label(), List.of())) {
            byDomain.computeIfAbsent(guess.row().domain(), domain -> new ArrayList<>())
                    .add(guess);
        }
        Map<Domain, Intervals> intervals = new TreeMap<>();
        byDomain.forEach((domain, its) -> intervals.put(domain, Intervals.of(its)));
        return intervals;
    }
}
