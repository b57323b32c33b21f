package org.trainyard.interference.errors;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairModel;

/**
 * The additive linear baseline: a domain's mean plus an effect of the victim plus an effect of the neighbour, by ridge
 * regression on the identities.
 */
public final class AdditiveBaseline implements PairModel {
    private static final double RIDGE = 0.3;
    private static final int SWEEPS = 60;

    private record Part(Domain domain, String label) {}

    private final MeanBaseline mean;
    private final Map<Part, Double> victims = new HashMap<>();
    private final Map<Part, Double> neighbours = new HashMap<>();

    private AdditiveBaseline(List<Measurement> rows) {
        mean = (MeanBaseline) MeanBaseline.train(rows, 0);
        // Backfitting: each half in turn is the exact ridge solution given the other.
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            improve(rows, victims, neighbours, true);
            improve(rows, neighbours, victims, false);
        }
    }

    private void improve(List<Measurement> rows, Map<Part, Double> these, Map<Part, Double> those, boolean ofVictim) {
        Map<Part, double[]> sums = new HashMap<>();
        for (Measurement row : rows) {
            Part mine = new Part(row.domain(), (ofVictim ? row.victim() : row.neighbour()).label());
            Part other = new Part(row.domain(), (ofVictim ? row.neighbour() : row.victim()).label());
            double rest = row.ratio() - mean.mean(row.domain()) - those.getOrDefault(other, 0.0);
            double[] at = sums.computeIfAbsent(mine, part -> new double[2]);
            at[0] += row.weight() * rest;
            at[1] += row.weight();
        }
        sums.forEach((part, at) -> these.put(part, at[0] / (at[1] + RIDGE)));
    }

    public static PairModel train(List<Measurement> rows, long seed) {
        return new AdditiveBaseline(rows);
    }

    @Override
    public double[] ratios(List<Pair> pairs) {
        return pairs.stream()
                .mapToDouble(pair -> PairModel.limit(mean.mean(pair.domain())
                        + victims.getOrDefault(
                                new Part(pair.domain(), pair.victim().label()), 0.0)
                        + neighbours.getOrDefault(
                                new Part(pair.domain(), pair.neighbour().label()), 0.0)))
                .toArray();
    }
}
