package org.trainyard.interference.errors;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairModel;

/** Predicts the mean ratio of its domain: the constant baseline. */
public final class MeanBaseline implements PairModel {
    private final Map<Domain, Double> means = new TreeMap<>();
    private final double overall;

    private MeanBaseline(List<Measurement> rows) {
        Map<Domain, double[]> sums = new TreeMap<>();
        double sum = 0;
        double weight = 0;
        for (Measurement row : rows) {
            double[] at = sums.computeIfAbsent(row.domain(), domain -> new double[2]);
            at[0] += row.weight() * row.ratio();
            at[1] += row.weight();
            sum += row.weight() * row.ratio();
            weight += row.weight();
        }
        sums.forEach((domain, at) -> means.put(domain, at[0] / at[1]));
        overall = sum / weight;
    }

    /** The means of the rows, one per domain. */
    public static PairModel train(List<Measurement> rows, long seed) {
        return new MeanBaseline(rows);
    }

    double mean(Domain domain) {
        return means.getOrDefault(domain, overall);
    }

    @Override
    public double[] ratios(List<Pair> pairs) {
        return pairs.stream().mapToDouble(pair -> mean(pair.domain())).toArray();
    }
}
