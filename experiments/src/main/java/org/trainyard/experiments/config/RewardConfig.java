package org.trainyard.experiments.config;

import java.util.List;
import org.trainyard.env.InvalidFieldException;

/** What agents are paid for. */
public sealed interface RewardConfig {
    /** Knows of interference what the belief says. */
    String BELIEF = "Belief";

    /** Knows how fast jobs really run: an ablation, for nobody could be paid by that outside a simulator. */
    String TRUTH = "Truth";

    /** Less time of jobs in the system: the sum of job completion times, negated. */
    record Jct() implements RewardConfig {}

    /**
     * Less time waiting, and less of what a running job loses by where it is and beside whom: the delay beyond ideal run times, paid
     * as it is incurred.
     *
     * @param knows {@value RewardConfig#BELIEF} or {@value RewardConfig#TRUTH}
     */
    record PredictedDelay(String knows) implements RewardConfig {
        public PredictedDelay {
            checkKnows(knows);
        }
    }

    /**
     * What running jobs get done, each as a part of its predicted run time.
     *
     * @param knows {@value RewardConfig#BELIEF} or {@value RewardConfig#TRUTH}
     */
    record NormalisedProgress(String knows) implements RewardConfig {
        public NormalisedProgress {
            checkKnows(knows);
        }
    }

    /**
     * Less delay of every job over its own predicted run time.
     *
     * @param knows {@value RewardConfig#BELIEF} or {@value RewardConfig#TRUTH}
     */
    record Slowdown(String knows) implements RewardConfig {
        public Slowdown {
            checkKnows(knows);
        }
    }

    private static void checkKnows(String knows) {
        if (!List.of(BELIEF, TRUTH).contains(knows)) {
            throw new InvalidFieldException("knows", knows, "%s or %s".formatted(BELIEF, TRUTH));
        }
    }
}
