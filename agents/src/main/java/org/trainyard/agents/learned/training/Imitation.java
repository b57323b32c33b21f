package org.trainyard.agents.learned.training;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;

/** Behaviour cloning before reinforcement learning. */
public sealed interface Imitation {
    /** Updates of behaviour cloning at the start of the run. */
    int updates();

    /** No imitation. */
    record None() implements Imitation {
        @Override
        public int updates() {
            return 0;
        }
    }

    /** Imitates the linear rule that the search starts from: least predicted work first, consolidated, tightest fit. */
    record Rule(int updates) implements Imitation {
        public Rule {
            atLeast(1, "updates", updates);
        }
    }

    /**
     * Imitates another policy.
     *
     * @param from its checkpoint
     * @param inverseTemperature factor on its logits
     */
    record Policy(String from, double inverseTemperature, int updates) implements Imitation {
        public Policy {
            above(0, "inverseTemperature", inverseTemperature);
            atLeast(1, "updates", updates);
        }
    }
}
