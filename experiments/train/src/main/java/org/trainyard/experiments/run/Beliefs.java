package org.trainyard.experiments.run;

import org.trainyard.env.InputException;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.interference.fit.InterferenceFiles;

/** The interference models that schedulers and rewards believe in. */
public final class Beliefs {
    /** Root mean squared difference of slowdowns below which two models count as one function. */
    private static final double SAME = 1e-6;

    /**
     * Rank correlation in a scope from which a belief counts as the truth in other units. A pressure model fitted
     * to samples of the analytic law has 0.996 to 1.000 in each scope, the shipped model at most 0.28;
     * experiments/docs/science/interference.md has all values.
     */
    static final double SAME_ORDER = 0.95;

    private Beliefs() {}

    /** The model called {@code shipped} or {@code none}, or that of a fit's folder or file. */
    public static InterferenceModel named(String name) {
        return switch (name) {
            case ConfigReader.BELIEF_SHIPPED -> InterferenceFiles.shipped();
            case ConfigReader.BELIEF_NONE -> InterferenceModel.NONE;
            default -> InterferenceFiles.read(InputFiles.path(name));
        };
    }

    /**
     * Refuses a belief that equals the truth, or that orders the co-locations of a scope as the truth does, because
     * schedulers would then know the simulator's own law, which nobody knows of a real cluster.
     *
     * @param place key or option that names the belief
     * @param mismatch the difference from the simulator's interference, in the scopes that the jobs can share
     */
    public static void requireNotTruth(String place, String name, TruthMismatch mismatch) {
        boolean same = !mismatch.scopes().isEmpty() && mismatch.all().rmse() < SAME;
        if (same || mismatch.highestRank() >= SAME_ORDER) {
            throw InputException.at(
                    place,
                    name,
                    "another model than the interference of the simulator, because it is the truth itself or imitates it: %s; a rank correlation of %s in any scope is too much"
                            .formatted(mismatch, SAME_ORDER));
        }
    }
}
