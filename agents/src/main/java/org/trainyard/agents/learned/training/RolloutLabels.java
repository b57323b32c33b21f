package org.trainyard.agents.learned.training;

/**
 * Figures of the decisions that an update labelled by playing their alternatives in forked futures.
 *
 * @param decisions labelled decisions
 * @param rollouts alternatives played, once for each future
 * @param effectiveShare part of the decisions in which some alternative made any difference
 * @param meanAdvantage mean of the absolute advantage of an alternative, job-hours
 * @param standardError mean of the standard error of an advantage, job-hours
 * @param significantShare part of the decisions in which an alternative is better than the policy's own by two standard errors
 * @param improvement cost that the best alternative saves against the policy's own, chosen in half of the futures and judged in the others,
 *     job-hours per decision
 * @param predictedGain the same for all decisions of this sort in an episode, as part of the episode's job-hours
 */
public record RolloutLabels(
        int decisions,
        int rollouts,
        double effectiveShare,
        double meanAdvantage,
        double standardError,
        double significantShare,
        double improvement,
        double predictedGain) {}
