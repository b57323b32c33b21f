package org.trainyard.agents.learned.ppo;

/**
 * The spreads of the targets of an update, in the unit of the reward.
 *
 * @param returns standard deviation of the returns
 * @param missed the same less what the critic predicted
 * @param advantages the same less the group's mean, too
 */
record TargetSpreads(double returns, double missed, double advantages) {
    /** How much of the variance of the returns the critic had explained. */
    double explainedVariance() {
        return returns == 0 ? 0 : 1 - missed * missed / (returns * returns);
    }
}
