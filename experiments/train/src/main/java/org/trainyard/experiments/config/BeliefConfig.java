package org.trainyard.experiments.config;

import java.util.List;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.binding.Example;
import org.trainyard.env.binding.PlainText;

/** The interference model of observations and rewards. */
@Example("shipped, none, the folder of a fitted model, or {type: Samples, share: 0.1, noise: 0.05}")
public sealed interface BeliefConfig {
    /** The belief that ships, which was fitted to published measurements. */
    BeliefConfig SHIPPED = new Named("shipped");

    /** The belief that co-located jobs do not interfere. */
    BeliefConfig NONE = new Named("none");

    /**
     * {@code shipped}, {@code none} for no interference, or the folder of a fitted model.
     *
     * @param name written in place of the mapping
     */
    @PlainText
    record Named(String name) implements BeliefConfig {
        public Named {
            if (name.isBlank()) {
                throw new InvalidFieldException("name", name, "text that is not empty");
            }
        }

        /** Whether it comes with the code rather than from a file. */
        public boolean isShipped() {
            return List.of(SHIPPED, NONE).contains(this);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * A model that is fitted before a run to noisy measurements of pairs on the cluster that is simulated.
     *
     * @param share the most that is measured of all pairs of models in all placings, above 0 to 1
     * @param noise standard deviation of the natural logarithm of a measured slowdown
     */
    record Samples(double share, double noise) implements BeliefConfig {
        public Samples {
            if (!(share > 0 && share <= 1)) {
                throw new InvalidFieldException("share", share, "a number above 0 and at most 1");
            }
            if (!(noise >= 0 && noise <= 2)) {
                throw new InvalidFieldException("noise", noise, "a number in 0..2");
            }
        }

        @Override
        public String toString() {
            return "samples of this cluster, share %s, noise %s".formatted(share, noise);
        }
    }
}
