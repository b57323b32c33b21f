package org.trainyard.agents.learned.dqn;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.env.FormerKey;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.RemainingTime;

/**
 * Deep Q-learning of the bids in an auction of whole gangs, through DJL's own agents: epsilon-greedy, with a replay
 * buffer.
 *
 * @param hidden units of the hidden layer of each kind of bid, and of the value of the state
 * @param updates parts of the run
 * @param episodesPerUpdate whole episodes played in each
 * @param references plays of each episode by the policy so far, whose mean cost is subtracted; 0 for none
 * @param remembered capacity of the replay buffer, decisions
 * @param warmUp decisions in the buffer before the first gradient step
 * @param learnEvery decisions between two gradient steps
 * @param batch decisions per gradient step
 * @param stepHours simulated hours of costs in a target, before the target network's value
 * @param targetEvery gradient steps between two copies of the online network to the target network
 * @param learningRate Adam's, at the first update
 * @param finalLearningRate Adam's, after the last update; linear in between
 * @param exploreStart epsilon at the first update: the part of the decisions that are drawn uniformly
 * @param exploreEnd epsilon at the end
 * @param exploreShare part of the run over which epsilon falls, linearly, 0..1
 * @param discountHours simulated hours after which a cost counts 1/e
 * @param rewardScale factor on rewards, so that Q values are of the order of one
 * @param maxGradientNorm global norm to which gradients are clipped
 * @param ema part of the exponential moving average of the weights that an update keeps: the policy is the running mean
 *     of the weights, 0..0.999; 0 for the last weights
 * @param remainingTimeEstimator title of a {@link RemainingTime}, by which jobs bid and are preempted
 * @param jobs waiting jobs that bid at once
 * @param placementCandidates sets of servers for which a job may bid
 * @param moves running jobs that may bid at once to move where they run faster; they need preemption
 * @param patience whether a job may take an option to wait for a consolidated place
 */
public record Dqn(
        int hidden,
        int updates,
        int episodesPerUpdate,
        int references,
        int remembered,
        int warmUp,
        int learnEvery,
        int batch,
        double stepHours,
        int targetEvery,
        double learningRate,
        double finalLearningRate,
        double exploreStart,
        double exploreEnd,
        double exploreShare,
        double discountHours,
        double rewardScale,
        double maxGradientNorm,
        @FormerKey("average") double ema,
        @FormerKey("order") String remainingTimeEstimator,
        int jobs,
        @FormerKey("sets") int placementCandidates,
        int moves,
        boolean patience)
        implements LearnerSettings {
    public Dqn {
        within(1, 1024, "hidden", hidden);
        atLeast(1, "updates", updates);
        atLeast(1, "episodesPerUpdate", episodesPerUpdate);
        atLeast(0, "references", references);
        atLeast(1, "remembered", remembered);
        within(1, remembered, "warmUp", warmUp);
        atLeast(1, "learnEvery", learnEvery);
        atLeast(1, "batch", batch);
        atLeast(0, "stepHours", stepHours);
        atLeast(1, "targetEvery", targetEvery);
        above(0, "learningRate", learningRate);
        atLeast(0, "finalLearningRate", finalLearningRate);
        within(0, 1, "exploreStart", exploreStart);
        within(0, 1, "exploreEnd", exploreEnd);
        above(0, "exploreShare", exploreShare);
        within(0, 1, "exploreShare", exploreShare);
        above(0, "discountHours", discountHours);
        above(0, "rewardScale", rewardScale);
        above(0, "maxGradientNorm", maxGradientNorm);
        within(0, 0.999, "ema", ema);
        atLeast(1, "jobs", jobs);
        atLeast(1, "placementCandidates", placementCandidates);
        atLeast(0, "moves", moves);
        RemainingTime.of(remainingTimeEstimator);
    }

    @Override
    public AuctionSettings auctions(boolean preemption) {
        return new AuctionSettings(
                RemainingTime.of(remainingTimeEstimator), jobs, placementCandidates, moves, preemption, patience);
    }

    public double epsilon(int update) {
        double done = update / (exploreShare * updates);
        return exploreStart + Math.min(1, done) * (exploreEnd - exploreStart);
    }

    /** Adam's learning rate of an update. */
    public double learningRate(int update) {
        return learningRate + (double) update / updates * (finalLearningRate - learningRate);
    }
}
