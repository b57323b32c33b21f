package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;

/** Whom an untrained policy imitates before it learns by reward. */
public sealed interface ImitationConfig {
    /** First updates of the run, in which it does. */
    int updates();

    /** Nobody. */
    record None() implements ImitationConfig {
        @Override
        public int updates() {
            return 0;
        }
    }

    /** The rule that a search starts from: least predicted work first, on as few servers as there can be, where it fits most tightly. */
    record Rule(int updates) implements ImitationConfig {
        public Rule {
            atLeast(1, "updates", updates);
        }
    }

    /**
     * Another policy.
     *
     * @param from its checkpoint
     * @param sharpness what its scores are multiplied by
     */
    record Policy(String from, double sharpness, int updates) implements ImitationConfig {
        public Policy {
            above(0, "sharpness", sharpness);
            atLeast(1, "updates", updates);
        }
    }
}
