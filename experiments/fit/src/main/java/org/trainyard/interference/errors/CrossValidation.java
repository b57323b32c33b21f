package org.trainyard.interference.errors;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.interference.candidates.PairTrainer;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairModel;
import org.trainyard.interference.validation.HeldOutPrediction;

/** Trains on all folds but one and predicts the held-out fold, for each fold in turn. */
public final class CrossValidation {
    private CrossValidation() {}

    /** The held-out predictions of every trainer for every row of one scope, by the trainer's name. */
    public static Map<String, List<HeldOutPrediction>> run(
            List<Measurement> rows, Split split, Map<String, PairTrainer> trainers, long seed) {
        Map<String, List<HeldOutPrediction>> predictions = new LinkedHashMap<>();
        List<Split.Fold> folds = split.folds(rows, seed);
        for (int fold = 0; fold < folds.size(); fold++) {
            List<Measurement> test = folds.get(fold).test();
            List<Pair> pairs = test.stream().map(Pair::of).toList();
            for (Map.Entry<String, PairTrainer> trainer : trainers.entrySet()) {
                PairModel model = trainer.getValue().train(folds.get(fold).training(), seed + fold);
                double[] ratios = model.ratios(pairs);
                List<HeldOutPrediction> its = predictions.computeIfAbsent(trainer.getKey(), key -> new ArrayList<>());
                for (int i = 0; i < ratios.length; i++) {
                    its.add(new HeldOutPrediction(test.get(i), fold, ratios[i]));
                }
            }
        }
        return predictions;
    }
}
