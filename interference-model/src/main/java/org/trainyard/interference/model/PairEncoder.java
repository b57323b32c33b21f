package org.trainyard.interference.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Trait;

/**
 * Encodes pairs of one scope as features: one-hot identities, then standardised traits.
 *
 * <p>A type that is not in the training rows has zeros for its identity. Traits that are unknown or equal in all rows
 * are left out. Immutable; part of a model's file.
 *
 * @param architectures with a one-hot feature each
 * @param labels of types with a one-hot feature each; may be empty
 * @param traits with a feature each
 * @param means of the traits over the training types
 * @param spreads standard deviations of the traits
 * @param hardware kinds with a one-hot feature each; empty when there is one kind only
 */
public record PairEncoder(
        List<String> architectures,
        List<String> labels,
        List<Trait> traits,
        List<Double> means,
        List<Double> spreads,
        List<String> hardware) {
    public PairEncoder {
        architectures = List.copyOf(architectures);
        labels = List.copyOf(labels);
        traits = List.copyOf(traits);
        means = List.copyOf(means);
        spreads = List.copyOf(spreads);
        hardware = List.copyOf(hardware);
    }

    /** The identities with one-hot features. */
    public enum Identity {
        /** No identity: a type is described by its traits. */
        NONE,
        /** Architectures and job types. */
        LABELS
    }

    /** An encoder of the types in some rows. */
    public static PairEncoder of(List<Measurement> rows, Identity identity, Set<Trait> allowed) {
        TreeSet<String> architectures = new TreeSet<>();
        TreeSet<String> labels = new TreeSet<>();
        TreeSet<String> hardware = new TreeSet<>();
        List<JobType> types = new ArrayList<>();
        for (Measurement row : rows) {
            hardware.add(row.hardware());
            for (JobType type : List.of(row.victim(), row.neighbour())) {
                architectures.add(type.architecture());
                if (labels.add(type.label())) {
                    types.add(type);
                }
            }
        }
        List<Trait> traits = new ArrayList<>();
        List<Double> means = new ArrayList<>();
        List<Double> spreads = new ArrayList<>();
        for (Trait trait : new TreeSet<>(allowed)) {
            double[] known = types.stream()
                    .mapToDouble(type -> type.trait(trait))
                    .filter(value -> !Double.isNaN(value))
                    .toArray();
            double mean = Arrays.stream(known).average().orElse(0);
            double spread = Math.sqrt(Arrays.stream(known)
                    .map(value -> (value - mean) * (value - mean))
                    .average()
                    .orElse(0));
            if (spread > 1e-9) {
                traits.add(trait);
                means.add(mean);
                spreads.add(spread);
            }
        }
        return new PairEncoder(
                identity == Identity.NONE ? List.of() : List.copyOf(architectures),
                identity == Identity.LABELS ? List.copyOf(labels) : List.of(),
                traits,
                means,
                spreads,
                hardware.size() > 1 ? List.copyOf(hardware) : List.of());
    }

    /** Features per type. */
    public int typeWidth() {
        return architectures.size() + labels.size() + traits.size();
    }

    /** Features per pair: victim, neighbour, hardware. */
    public int width() {
        return 2 * typeWidth() + hardware.size();
    }

    /** Writes the features of a pair from index {@code from} on; unknown traits are {@code unknown}. */
    public void encode(Pair pair, float[] into, int from, float unknown) {
        Arrays.fill(into, from, from + width(), 0);
        encode(pair.victim(), into, from, unknown);
        encode(pair.neighbour(), into, from + typeWidth(), unknown);
        set(into, from + 2 * typeWidth(), hardware.indexOf(pair.domain().hardware()));
    }

    private void encode(JobType type, float[] into, int from, float unknown) {
        set(into, from, architectures.indexOf(type.architecture()));
        set(into, from + architectures.size(), labels.indexOf(type.label()));
        int at = from + architectures.size() + labels.size();
        for (int i = 0; i < traits.size(); i++) {
            double value = type.trait(traits.get(i));
            into[at + i] = Double.isNaN(value) ? unknown : (float) ((value - means.get(i)) / spreads.get(i));
        }
    }

    private static void set(float[] into, int from, int index) {
        if (index >= 0) {
            into[from + index] = 1;
        }
    }

    /** The features of all pairs, one after the other. */
    public float[] encode(List<Pair> pairs, float unknown) {
        float[] all = new float[pairs.size() * width()];
        for (int i = 0; i < pairs.size(); i++) {
            encode(pairs.get(i), all, i * width(), unknown);
        }
        return all;
    }
}
