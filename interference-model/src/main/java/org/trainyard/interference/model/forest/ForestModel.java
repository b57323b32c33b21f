package org.trainyard.interference.model.forest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairEncoder;
import org.trainyard.interference.model.PairModel;

/**
 * Two forests: one with one-hot architectures and measured traits for known architectures, one with all traits for
 * new ones.
 *
 * <p>On known architectures, resource traits, one number per architecture, only dilute the draw of features; on new
 * ones they are all that is known.
 */
public final class ForestModel implements PairModel {
    private static final double ANY_LEAF = 0;
    /** Least weight of a leaf of the forest for new architectures. */
    private static final double BROAD_LEAF = 10;

    private final PairForest named;
    private final PairForest general;
    private final Set<String> architectures;

    private ForestModel(PairForest named, PairForest general) {
        this.named = named;
        this.general = general;
        architectures = new HashSet<>(named.encoder().architectures());
    }

    /** Grows both on the rows of one scope, on one thread. */
    public static ForestModel train(List<Measurement> rows, long seed) {
        PairEncoder byName = PairEncoder.of(rows, PairEncoder.Identity.ARCHITECTURES, Trait.measured());
        PairEncoder byTraits = PairEncoder.of(rows, PairEncoder.Identity.ARCHITECTURES, Trait.all());
        return new ForestModel(
                PairForest.train(byName, rows, ANY_LEAF, seed), PairForest.train(byTraits, rows, BROAD_LEAF, seed));
    }

    @Override
    public double[] ratios(List<Pair> pairs) {
        List<Pair> known = new ArrayList<>();
        List<Pair> others = new ArrayList<>();
        pairs.forEach(pair -> (isKnown(pair) ? known : others).add(pair));
        double[] ofKnown = named.ratios(known);
        double[] ofOthers = general.ratios(others);
        double[] ratios = new double[pairs.size()];
        int nextKnown = 0;
        int nextOther = 0;
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = isKnown(pairs.get(i)) ? ofKnown[nextKnown++] : ofOthers[nextOther++];
        }
        return ratios;
    }

    private boolean isKnown(Pair pair) {
        return architectures.contains(pair.victim().architecture())
                && architectures.contains(pair.neighbour().architecture());
    }

    /** The encoders of the forest by name and of the general one. */
    public List<PairEncoder> encoders() {
        return List.of(named.encoder(), general.encoder());
    }

    /** The trees of both in XGBoost's binary format, in the same order. */
    public List<byte[]> bytes() {
        return List.of(named.bytes(), general.bytes());
    }

    /** A model from its trees; {@code place} is the file that names them. */
    public static ForestModel of(String place, List<PairEncoder> encoders, List<byte[]> bytes) {
        return new ForestModel(
                PairForest.of(place, encoders.get(0), bytes.get(0)),
                PairForest.of(place, encoders.get(1), bytes.get(1)));
    }
}
