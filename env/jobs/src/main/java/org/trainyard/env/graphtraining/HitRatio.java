package org.trainyard.env.graphtraining;

import org.trainyard.env.Invalid;
import org.trainyard.env.Labelled;

/**
 * The share of features that a cache answers, by the share of all features that it holds: a table, straight between its
 * points and to 1 from the last.
 *
 * <p>{@link #DEGREE} is measured: GNNLab (J. Yang et al., EuroSys 2022), papers100M and a three-layer GCN. {@link #BGL}
 * is simulated, for no hit ratio of BGL's is known to us: {@link CacheHits} of seed 1. A random cache hits as often as
 * it holds.
 */
public enum HitRatio implements Labelled {
    RANDOM(0.05, 0.10, 0.15, 0.20, 0.25, 0.30),
    DEGREE(0.2892, 0.4957, 0.6396, 0.7512, 0.8289, 0.8841),
    BGL(0.8684, 0.9374, 0.9624, 0.9753, 0.9879, 0.9879);

    private static final double[] HELD = {0, 0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 1};

    @SuppressWarnings("ImmutableEnumChecker") // filled once and kept here
    private final double[] hits;

    HitRatio(double... hits) {
        this.hits = new double[hits.length + 2];
        System.arraycopy(hits, 0, this.hits, 1, hits.length);
        this.hits[hits.length + 1] = 1;
    }

    /** @param held share of all features in the cache; 1 for more than that */
    public double at(double held) {
        Invalid.when(!(held >= 0), "a cache holds a share (%s) of at least zero", held);
        double share = Math.min(1, held);
        int below = 0;
        while (below < HELD.length - 2 && HELD[below + 1] <= share) {
            below++;
        }
        double part = (share - HELD[below]) / (HELD[below + 1] - HELD[below]);
        return hits[below] + part * (hits[below + 1] - hits[below]);
    }
}
