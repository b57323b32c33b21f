package org.trainyard.interference.model.gaussianprocess;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairEncoder;
import org.trainyard.interference.model.PairModel;

/**
 * The posterior mean of a Gaussian process over pairs.
 *
 * <p>C. E. Rasmussen, C. K. I. Williams: Gaussian processes for machine learning, 2006, equation 2.25. Training
 * pairs are made of few job types, so the inverse covariance times the targets is held as a table by hardware,
 * victim and neighbour, and a prediction costs O(types) rather than O(rows). Immutable.
 *
 * @param scale means and standard deviations of the traits, and the kinds of hardware when there are several
 * @param types the training types
 * @param mean ratio of the training rows: the prior mean
 * @param weights variance of each {@link KernelTerm}, in the order of {@link KernelTerm#all}
 * @param evidence inverse covariance times targets of each training pair, by hardware, then victim, then neighbour;
 *     0 where nothing was measured
 */
public record GaussianProcessModel(
        PairEncoder scale, List<JobType> types, double mean, List<Double> weights, List<Double> evidence)
        implements PairModel {
    public GaussianProcessModel {
        types = List.copyOf(types);
        weights = List.copyOf(weights);
        evidence = List.copyOf(evidence);
        int kinds = Math.max(1, scale.hardware().size());
        if (weights.size() != KernelTerm.all(kinds).size() || evidence.size() != kinds * types.size() * types.size()) {
            throw new IllegalArgumentException("(%d) weights and (%d) pairs do not fit (%d) types on (%d) hardware"
                    .formatted(weights.size(), evidence.size(), types.size(), kinds));
        }
    }

    /** A victim, by its number in this call, on a kind of hardware. */
    private record Seat(int victim, int hardware) {}

    /** Numbers for the types of one call: equal types share a number; the same object is found by identity first. */
    private static final class Numbers {
        // Both are looked up and never walked.
        private final IdentityHashMap<JobType, Integer> same = new IdentityHashMap<>();
        private final Map<JobType, Integer> equal = new HashMap<>();

        int of(JobType type) {
            Integer number = same.get(type);
            if (number == null) {
                number = equal.computeIfAbsent(type, unseen -> equal.size());
                same.put(type, number);
            }
            return number;
        }
    }

    @Override
    public double[] ratios(List<Pair> pairs) {
        Numbers numbers = new Numbers();
        Map<Seat, double[][]> victims = new HashMap<>();
        Map<Integer, double[][]> neighbours = new HashMap<>();
        double[] table = evidence.stream().mapToDouble(Double::doubleValue).toArray();
        double[] ratios = new double[pairs.size()];
        for (int i = 0; i < ratios.length; i++) {
            Pair pair = pairs.get(i);
            int hardware = scale.hardware().isEmpty()
                    ? 0
                    : scale.hardware().indexOf(pair.domain().hardware());
            double[][] weighted = victims.computeIfAbsent(
                    new Seat(numbers.of(pair.victim()), hardware), its -> weighted(pair.victim(), hardware, table));
            double[][] rows = neighbours.computeIfAbsent(numbers.of(pair.neighbour()), its -> rows(pair.neighbour()));
            double ratio = mean;
            for (int k = 0; k < weighted.length; k++) {
                for (int other = 0; other < weighted[k].length; other++) {
                    ratio += weighted[k][other] * rows[k][other];
                }
            }
            ratios[i] = PairModel.limit(ratio);
        }
        return ratios;
    }

    private double[][] rows(JobType type) {
        return Arrays.stream(Kernel.values())
                .map(kernel -> kernel.row(scale, type, types))
                .toArray(double[][]::new);
    }

    /**
     * The evidence of all training pairs weighed by the victims' kernels: by kernel of the neighbour, then by
     * training neighbour.
     */
    private double[][] weighted(JobType asked, int hardware, double[] table) {
        int kinds = Math.max(1, scale.hardware().size());
        int count = types.size();
        Map<Kernel, double[]> rows = new EnumMap<>(Kernel.class);
        for (Kernel kernel : Kernel.values()) {
            rows.put(kernel, kernel.row(scale, asked, types));
        }
        double[][] weighted = new double[Kernel.values().length][count];
        List<KernelTerm> terms = KernelTerm.all(kinds);
        for (int t = 0; t < terms.size(); t++) {
            KernelTerm term = terms.get(t);
            double[] row = rows.getOrDefault(term.victim(), new double[count]);
            double[] into = weighted[term.neighbour().place()];
            for (int kind = 0; kind < kinds; kind++) {
                if (!term.ownHardware() || kind == hardware) {
                    for (int victim = 0; victim < count; victim++) {
                        double strength = weights.get(t) * row[victim];
                        int from = (kind * count + victim) * count;
                        for (int other = 0; strength != 0 && other < count; other++) {
                            into[other] += strength * table[from + other];
                        }
                    }
                }
            }
        }
        return weighted;
    }
}
