package org.trainyard.experiments.config;

/** What agents are paid for. */
public sealed interface RewardConfig {
    /** Less time of jobs in the system: the sum of job completion times, negated. */
    record Jct() implements RewardConfig {}

    /**
     * Less time waiting, and less of what a running job is believed to lose by where it is and beside whom: the delay beyond ideal run
     * times, paid as it is incurred.
     */
    record PredictedDelay() implements RewardConfig {}
}
