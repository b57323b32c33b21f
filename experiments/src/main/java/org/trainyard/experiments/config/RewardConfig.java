package org.trainyard.experiments.config;

/** What agents are paid for. */
public sealed interface RewardConfig {
    /** Less time of jobs in the system: the sum of job completion times, negated. */
    record Jct() implements RewardConfig {}

    /**
     * The same, less what the believed interference model says that co-located jobs lose.
     *
     * @param weight of the predicted loss, 0 or more
     */
    record PredictedInterference(double weight) implements RewardConfig {
        public PredictedInterference {
            BadField.atLeast(0, "weight", weight);
        }
    }
}
