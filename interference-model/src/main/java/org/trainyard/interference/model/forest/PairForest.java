package org.trainyard.interference.model.forest;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.trainyard.env.InputException;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairEncoder;
import org.trainyard.interference.model.PairModel;

/**
 * A random forest of pairs, with its trees in XGBoost's binary format as they go into a model's folder. Trees grow
 * until single rows.
 */
final class PairForest {
    private static final int TREES = 300;
    /** The prediction that leaves are offsets from. */
    private static final float BASE = 0.5f;

    private final PairEncoder encoder;
    private final RegressionForest forest;
    private final byte[] ubj;

    private PairForest(PairEncoder encoder, RegressionForest forest, byte[] ubj) {
        if (encoder.width() > Byte.MAX_VALUE) {
            throw new InputException(
                    "forest: (%d) features of a pair: expected at most %d".formatted(encoder.width(), Byte.MAX_VALUE));
        }
        this.encoder = encoder;
        this.forest = forest;
        this.ubj = ubj;
    }

    /** Grows a forest on the rows of one scope, with leaves of at least so much weight. */
    static PairForest train(PairEncoder encoder, List<Measurement> rows, double leafWeight, long seed) {
        float[] labels = new float[rows.size()];
        float[] weights = new float[rows.size()];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = (float) rows.get(i).ratio();
            weights[i] = (float) rows.get(i).weight();
        }
        float[] features = encoder.encode(rows.stream().map(Pair::of).toList(), Float.NaN);
        Map<String, Object> settings =
                Map.of("max_depth", 24, "min_child_weight", leafWeight, "subsample", 0.7, "colsample_bynode", 0.35);
        return XgBoost.train(
                new XgBoost.Table(features, encoder.width(), labels, weights),
                RegressionForest.parameters(TREES, BASE, settings, seed),
                1,
                booster -> new PairForest(
                        encoder, RegressionForest.of(XgBoost.trees(booster), BASE), booster.toByteArray("ubj")));
    }

    double[] ratios(List<Pair> pairs) {
        double[] ratios = forest.means(encoder.encode(pairs, Float.NaN), encoder.width());
        Arrays.setAll(ratios, i -> PairModel.limit(ratios[i]));
        return ratios;
    }

    PairEncoder encoder() {
        return encoder;
    }

    byte[] bytes() {
        return ubj;
    }

    /** A forest from its trees in XGBoost's binary format; {@code place} is the file they were in. */
    static PairForest of(String place, PairEncoder encoder, byte[] ubj) {
        try {
            return new PairForest(encoder, RegressionForest.of(XgBoost.trees(ubj), BASE), ubj);
        } catch (IOException e) {
            throw new InputException("%s: is damaged: expected the trees of a forest".formatted(place));
        }
    }
}
