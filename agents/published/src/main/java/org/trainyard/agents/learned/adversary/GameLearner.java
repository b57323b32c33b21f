package org.trainyard.agents.learned.adversary;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

/** The learners of an {@link AllocationGame} and their hyperparameters, as configs name them. */
public sealed interface GameLearner {
    /** Model of a player's logits. */
    sealed interface Model {
        /** A table. */
        record Table() implements Model {}

        /**
         * A network with two hidden layers.
         *
         * @param hidden units of each
         */
        record Network(int hidden) implements Model {
            public Network {
                within(1, 1024, "hidden", hidden);
            }
        }
    }

    /**
     * A pricing policy and an adversary that learn from each other by {@link AdversarialTraining}.
     *
     * @param updates in the whole run
     * @param batch sequences drawn for an update, where there are too many to take all
     * @param policySteps gradient steps of the policy in an update
     * @param adversarySteps gradient steps of the adversary in an update
     * @param policyRate factor on the policy's gradient
     * @param adversaryRate factor on the adversary's gradient
     * @param entropy coefficient of both players' entropy at the first update; falls linearly to zero
     * @param pool hard sequences that are kept, the newest; 0 for none
     * @param responses updates between two sequences that the exact worst case finds for the pool, in place of the
     *     worst of those drawn; 0 for none
     * @param poolShare weight of the pool among the sequences that the policy learns from, 0..1
     */
    record Adversary(
            Model model,
            int updates,
            int batch,
            int policySteps,
            int adversarySteps,
            double policyRate,
            double adversaryRate,
            double entropy,
            int pool,
            int responses,
            double poolShare)
            implements GameLearner {
        public Adversary {
            atLeast(1, "updates", updates);
            atLeast(2, "batch", batch);
            atLeast(1, "policySteps", policySteps);
            atLeast(1, "adversarySteps", adversarySteps);
            above(0, "policyRate", policyRate);
            above(0, "adversaryRate", adversaryRate);
            atLeast(0, "entropy", entropy);
            atLeast(0, "pool", pool);
            within(0, pool == 0 ? 0 : updates, "responses", responses);
            within(0, pool == 0 ? 0 : 1, "poolShare", poolShare);
        }

        /** The coefficient of the entropy in an update. */
        double entropy(int update) {
            return entropy * (1 - (double) update / updates);
        }
    }
}
