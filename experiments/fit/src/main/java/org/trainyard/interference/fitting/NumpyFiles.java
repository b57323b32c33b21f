package org.trainyard.interference.fitting;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.errors.Split;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairEncoder;
import org.trainyard.interference.tables.NumpyZip;
import org.trainyard.interference.validation.HeldOutPrediction;

/** The numeric tables of a fit in NumPy's .npz format. */
public final class NumpyFiles {
    private NumpyFiles() {}

    /**
     * {@code measurements.npz}: features, slowdown, ratio and weight; {@code predictions.npz}: measured and predicted
     * ratio by split.
     */
    public static Map<String, byte[]> of(InterferenceFit.Result result) {
        List<Measurement> rows = result.table().rows();
        PairEncoder encoder = PairEncoder.of(rows, PairEncoder.Identity.LABELS, Trait.all());
        float[] features = encoder.encode(rows.stream().map(Pair::of).toList(), Float.NaN);
        NumpyZip measured = new NumpyZip()
                .with("features", features, rows.size(), encoder.width())
                .with(
                        "slowdown",
                        rows.stream().mapToDouble(Measurement::slowdown).toArray())
                .with("ratio", rows.stream().mapToDouble(Measurement::ratio).toArray())
                .with("weight", rows.stream().mapToDouble(Measurement::weight).toArray());
        NumpyZip predicted = new NumpyZip();
        for (Split split : Split.values()) {
            List<HeldOutPrediction> guesses = result.guesses()
                    .getOrDefault(split, Map.of())
                    .getOrDefault(result.fitted().kind().label(), List.of());
            if (!guesses.isEmpty()) {
                String name = split.name().toLowerCase(Locale.ROOT);
                predicted
                        .with(
                                name + "_ratio",
                                guesses.stream()
                                        .mapToDouble(HeldOutPrediction::ratio)
                                        .toArray())
                        .with(
                                name + "_measured",
                                guesses.stream()
                                        .mapToDouble(guess -> guess.row().ratio())
                                        .toArray());
            }
        }
        return Map.of("measurements.npz", measured.bytes(), "predictions.npz", predicted.bytes());
    }
}
