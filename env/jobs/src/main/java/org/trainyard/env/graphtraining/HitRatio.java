package org.trainyard.env.graphtraining;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The share of features that a cache answers, by the share of all features that it holds.
 *
 * <p>{@link #DEGREE} is the measured table of GNNLab (J. Yang et al., EuroSys 2022) for papers100M and a
 * three-layer GCN, straight between its points and to 1 from the last. The others have the concave form
 * {@code 1 - (1 - held)^kappa}, which is ours, with kappa from GNNLab's ratio at a tenth: random 9.96 % is kappa 1,
 * a pre-sampled cache 98.29 % is kappa 38.6. Our reading: BGL's cache, which holds what its order of training nodes
 * needs next, does as well as a pre-sampled one.
 */
public enum HitRatio {
    RANDOM(1),
    DEGREE(0),
    BGL(38.6);

    private static final double[] HELD = {0, 0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 1};
    private static final double[] HIT = {0, 0.2892, 0.4957, 0.6396, 0.7512, 0.8289, 0.8841, 1};

    private final double kappa;

    HitRatio(double kappa) {
        this.kappa = kappa;
    }

    /** The name in traces. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The policy of that label, or null. */
    public static @Nullable HitRatio parse(String label) {
        return Arrays.stream(values())
                .filter(policy -> policy.label().equals(label))
                .findFirst()
                .orElse(null);
    }

    /** @param held share of all features in the cache; 1 for more than that */
    public double at(double held) {
        if (!(held >= 0)) {
            throw new IllegalArgumentException("a cache holds a share (%s) of at least zero".formatted(held));
        }
        double share = Math.min(1, held);
        return kappa > 0 ? concave(share, kappa) : measured(share);
    }

    static double concave(double held, double kappa) {
        return 1 - Math.pow(1 - held, kappa);
    }

    private static double measured(double held) {
        int below = 0;
        while (below < HELD.length - 2 && HELD[below + 1] <= held) {
            below++;
        }
        double part = (held - HELD[below]) / (HELD[below + 1] - HELD[below]);
        return HIT[below] + part * (HIT[below + 1] - HIT[below]);
    }
}
