package org.trainyard.interference.validation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairModel;
import org.trainyard.interference.model.PairTrainer;

/** Tries trainers on rows they do not see. */
public final class CrossValidation {
    private CrossValidation() {}

    /**
     * The guesses of every trainer on every row of one scope, by the trainer's name.
     *
     * <p>With {@code blend}, also the mean of two of them, which costs nothing more.
     */
    public static Map<String, List<HeldOutPrediction>> run(
            List<Measurement> rows, Split split, Map<String, PairTrainer> trainers, List<String> blended, long seed) {
        Map<String, List<HeldOutPrediction>> guesses = new LinkedHashMap<>();
        List<Split.Fold> folds = split.folds(rows, seed);
        for (int fold = 0; fold < folds.size(); fold++) {
            List<Measurement> test = folds.get(fold).test();
            List<Pair> pairs = test.stream().map(Pair::of).toList();
            double[] blend = new double[test.size()];
            for (Map.Entry<String, PairTrainer> trainer : trainers.entrySet()) {
                PairModel model = trainer.getValue().train(folds.get(fold).training(), seed + fold);
                double[] ratios = model.ratios(pairs);
                add(guesses, trainer.getKey(), test, fold, ratios);
                if (blended.contains(trainer.getKey())) {
                    for (int i = 0; i < blend.length; i++) {
                        blend[i] += ratios[i] / blended.size();
                    }
                }
            }
            if (!blended.isEmpty()) {
                add(guesses, "blend", test, fold, blend);
            }
        }
        return guesses;
    }

    private static void add(
            Map<String, List<HeldOutPrediction>> guesses,
            String name,
            List<Measurement> test,
            int fold,
            double[] ratios) {
        List<HeldOutPrediction> its = guesses.computeIfAbsent(name, key -> new ArrayList<>());
        for (int i = 0; i < ratios.length; i++) {
            its.add(new HeldOutPrediction(test.get(i), fold, ratios[i]));
        }
    }
}
