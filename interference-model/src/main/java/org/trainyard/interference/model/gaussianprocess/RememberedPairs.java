package org.trainyard.interference.model.gaussianprocess;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairModel;

/** A {@link GaussianProcessModel} that works out each victim and each neighbour once; safe for several threads. */
final class RememberedPairs implements PairModel {
    private final GaussianProcessModel model;
    private final double[] table;
    private final Map<Victim, double[][]> victims = new ConcurrentHashMap<>();
    private final Map<JobType, double[][]> neighbours = new ConcurrentHashMap<>();

    RememberedPairs(GaussianProcessModel model) {
        this.model = model;
        table = model.evidence().stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** A type of victim on a kind of hardware. */
    private record Victim(JobType type, int hardware) {}

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
        Map<Seat, double[][]> seats = new HashMap<>();
        Map<Integer, double[][]> besides = new HashMap<>();
        double[] ratios = new double[pairs.size()];
        for (int i = 0; i < ratios.length; i++) {
            Pair pair = pairs.get(i);
            int hardware = model.scale().hardware().isEmpty()
                    ? 0
                    : model.scale().hardware().indexOf(pair.domain().hardware());
            double[][] weighted = seats.computeIfAbsent(
                    new Seat(numbers.of(pair.victim()), hardware),
                    its -> victims.computeIfAbsent(new Victim(pair.victim(), hardware), this::weighted));
            double[][] rows = besides.computeIfAbsent(
                    numbers.of(pair.neighbour()), its -> neighbours.computeIfAbsent(pair.neighbour(), this::rows));
            double ratio = model.mean();
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
                .map(kernel -> kernel.row(model.scale(), type, model.types()))
                .toArray(double[][]::new);
    }

    /**
     * The evidence of all training pairs weighed by the victims' kernels: by kernel of the neighbour, then by training
     * neighbour.
     */
    private double[][] weighted(Victim victim) {
        int kinds = Math.max(1, model.scale().hardware().size());
        int count = model.types().size();
        Map<Kernel, double[]> rows = new EnumMap<>(Kernel.class);
        for (Kernel kernel : Kernel.values()) {
            rows.put(kernel, kernel.row(model.scale(), victim.type(), model.types()));
        }
        double[][] weighted = new double[Kernel.values().length][count];
        List<KernelTerm> terms = KernelTerm.all(kinds);
        for (int t = 0; t < terms.size(); t++) {
            KernelTerm term = terms.get(t);
            double[] row = rows.getOrDefault(term.victim(), new double[count]);
            double[] into = weighted[term.neighbour().place()];
            for (int kind = 0; kind < kinds; kind++) {
                if (!term.ownHardware() || kind == victim.hardware()) {
                    for (int trained = 0; trained < count; trained++) {
                        double strength = model.weights().get(t) * row[trained];
                        int from = (kind * count + trained) * count;
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
