package org.trainyard.agents.learned.training;

/**
 * Metrics of one update.
 *
 * @param update counted from 1
 * @param decisions decisions of agents that had a choice
 * @param steps environment steps, over all environments
 * @param simulatedHours simulated time, over all environments
 * @param episodes episodes that ended
 * @param meanJctSeconds mean over the episodes that ended with all jobs done; NaN when none did
 * @param policyLoss mean over minibatches, as the next ones
 * @param valueLoss in the normalised unit, in which a constant prediction has loss 1
 * @param entropy of the distribution over legal actions, nats
 * @param kl approximate divergence of the new policy from the old, nats
 * @param clipFraction part of the decisions whose probability ratio was outside the clip range
 * @param explainedVariance part of the variance of the returns that the control variate explained: 1 is perfect, 0 a
 *     constant
 * @param gradientNorm before clipping
 * @param minibatches gradient steps made; fewer than planned when the divergence grew too large
 * @param returnSpread standard deviation of the returns of decisions, in the unit of the reward, or in job-hours
 *     where decisions have costs
 * @param baselineSpread the same less the mean of the group that plays the same episode; NaN for a learner that
 *     subtracts it last
 * @param advantageSpread the same less the group's mean and what the control variate explains: advantages before
 *     they are scaled
 * @param waitShare part of the auctions in which the bid to wait won; NaN without auctions
 */
public record UpdateStatistics(
        int update,
        int decisions,
        int steps,
        double simulatedHours,
        int episodes,
        double meanJctSeconds,
        double policyLoss,
        double valueLoss,
        double entropy,
        double kl,
        double clipFraction,
        double explainedVariance,
        double gradientNorm,
        int minibatches,
        double returnSpread,
        double baselineSpread,
        double advantageSpread,
        double waitShare) {}
