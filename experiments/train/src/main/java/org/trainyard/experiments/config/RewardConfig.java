package org.trainyard.experiments.config;

import java.util.List;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.binding.Example;

/** The reward of the agents. */
@Example("{type: Slowdown, knows: Belief}")
public sealed interface RewardConfig {
    /** Speeds of running jobs according to the belief. */
    String BELIEF = "Belief";

    /** True speeds of running jobs: an ablation, because they are only known inside a simulator. */
    String TRUTH = "Truth";

    /** The negative number of jobs in the system, integrated over time: the negative sum of job completion times. */
    record Jct() implements RewardConfig {}

    /**
     * The negative delay beyond ideal run times, from queueing and from slow placements and neighbours, paid as it is
     * incurred.
     *
     * @param knows source of the speeds: {@value RewardConfig#BELIEF} or {@value RewardConfig#TRUTH}
     */
    record PredictedDelay(String knows) implements RewardConfig {
        public PredictedDelay {
            checkKnows(knows);
        }
    }

    /**
     * The progress of running jobs, each job's relative to its predicted run time.
     *
     * @param knows source of the speeds: {@value RewardConfig#BELIEF} or {@value RewardConfig#TRUTH}
     */
    record NormalisedProgress(String knows) implements RewardConfig {
        public NormalisedProgress {
            checkKnows(knows);
        }
    }

    /**
     * The negative delay of {@link PredictedDelay}, each job's relative to its predicted run time.
     *
     * @param knows source of the speeds: {@value RewardConfig#BELIEF} or {@value RewardConfig#TRUTH}
     */
    record Slowdown(String knows) implements RewardConfig {
        public Slowdown {
            checkKnows(knows);
        }
    }

    /**
     * The reward of a plugin.
     *
     * @param name as in {@link PluggedRewards}
     */
    record Plugin(String name) implements RewardConfig {
        public Plugin {
            PluggedRewards.named(name);
        }
    }

    private static void checkKnows(String knows) {
        if (!List.of(BELIEF, TRUTH).contains(knows)) {
            throw new InvalidFieldException("knows", knows, "%s or %s".formatted(BELIEF, TRUTH));
        }
    }
}
