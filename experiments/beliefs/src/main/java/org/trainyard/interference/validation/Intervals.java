package org.trainyard.interference.validation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * 90 % prediction intervals of the ratio, by the size of the prediction.
 *
 * <p>Split-conformal: learned from held-out predictions (V. Vovk, A. Gammerman, G. Shafer: Algorithmic learning in a
 * random world, 2005, chapter 4), in bins of equally many rows. Our deviation: each bin uses its own rows only, so
 * coverage holds on average over a bin, not for each pair.
 *
 * @param upTo upper ends of the bins but the last, rising
 * @param below by bin: offset from the prediction to the lower end, usually negative
 * @param above by bin: offset to the upper end
 */
public record Intervals(List<Double> upTo, List<Double> below, List<Double> above) {
    private static final int BINS = 5;
    private static final int LEAST_PER_BIN = 40;
    private static final double TAIL = 0.05;

    public Intervals {
        upTo = List.copyOf(upTo);
        below = List.copyOf(below);
        above = List.copyOf(above);
        if (below.size() != upTo.size() + 1 || above.size() != below.size()) {
            throw new IllegalArgumentException(
                    "(%d) ends do not divide (%d) and (%d) bins".formatted(upTo.size(), below.size(), above.size()));
        }
    }

    /** Learns from held-out predictions. */
    public static Intervals of(List<HeldOutPrediction> guesses) {
        List<HeldOutPrediction> sorted = new ArrayList<>(guesses);
        sorted.sort(Comparator.comparingDouble(HeldOutPrediction::ratio));
        int bins = Math.max(1, Math.min(BINS, sorted.size() / LEAST_PER_BIN));
        List<Double> upTo = new ArrayList<>();
        List<Double> below = new ArrayList<>();
        List<Double> above = new ArrayList<>();
        for (int bin = 0; bin < bins; bin++) {
            int from = bin * sorted.size() / bins;
            int to = (bin + 1) * sorted.size() / bins;
            double[] missing = sorted.subList(from, to).stream()
                    .mapToDouble(guess -> -guess.error())
                    .sorted()
                    .toArray();
            if (bin > 0) {
                upTo.add(sorted.get(from).ratio());
            }
            // The finite-sample rank of conformal prediction counts one more row.
            int tail = (int) Math.floor(TAIL * (missing.length + 1));
            below.add(missing[Math.max(0, tail - 1)]);
            above.add(missing[Math.min(missing.length - 1, missing.length - tail)]);
        }
        return new Intervals(upTo, below, above);
    }

    /** Lower and upper end of the interval around a predicted ratio. */
    public double[] around(double ratio) {
        int bin = 0;
        while (bin < upTo.size() && ratio >= upTo.get(bin)) {
            bin++;
        }
        return new double[] {
            Math.min(ratio, Math.max(0.01, ratio + below.get(bin))),
            Math.max(ratio, Math.min(1, ratio + above.get(bin)))
        };
    }

    /** Fraction of the measured ratios inside intervals that are learned on the other folds. */
    public static double coverage(List<HeldOutPrediction> guesses) {
        int[] folds = guesses.stream()
                .mapToInt(HeldOutPrediction::fold)
                .distinct()
                .sorted()
                .toArray();
        if (folds.length < 2) {
            return Double.NaN;
        }
        int inside = 0;
        for (int fold : folds) {
            Intervals others =
                    of(guesses.stream().filter(guess -> guess.fold() != fold).toList());
            for (HeldOutPrediction guess : guesses) {
                if (guess.fold() == fold) {
                    double[] ends = others.around(guess.ratio());
                    inside += guess.row().ratio() >= ends[0] - 1e-12
                                    && guess.row().ratio() <= ends[1] + 1e-12
                            ? 1
                            : 0;
                }
            }
        }
        return (double) inside / guesses.size();
    }

    @Override
    public String toString() {
        return "Intervals" + Arrays.asList(upTo, below, above);
    }
}
