package org.trainyard.agents.learned.training;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.RemainingTime;

/**
 * The learners and their hyperparameters. An experiment's {@code learner} section is bound to one of these records,
 * {@code type} being its name and every key a component in snake case; the trainer takes that record.
 */
public sealed interface LearnerSettings permits LearnerSettings.Dqn, LearnerSettings.Auction {
    /** Arrival-rate multipliers, cycled over training and validation episodes. */
    default List<Double> arrivalSpeeds() {
        return List.of(1.0);
    }

    /**
     * What the auctions offer in which a learner of bids learns; null for the others.
     *
     * @param preemption whether running jobs may be preempted or migrated
     */
    default @Nullable AuctionSettings auctions(boolean preemption) {
        return null;
    }

    /** The first policy of a learner of bids in auctions; null for the others. */
    default @Nullable BidStart bidStart() {
        return null;
    }

    /**
     * Deep Q-learning of the bids in an auction of whole gangs, through DJL's own agents: epsilon-greedy, with a
     * replay buffer.
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
     * @param average part of the averaged weights that an update keeps: the policy is the running mean of the
     *     weights, 0..0.999; 0 for the last weights
     * @param order title of a {@link RemainingTime}, by which jobs bid and are preempted
     * @param jobs waiting jobs that bid at once
     * @param sets sets of servers for which a job may bid
     * @param moves running jobs that may bid at once to move where they run faster; they need preemption
     * @param patience whether a job may take an option to wait for a consolidated place
     */
    record Dqn(
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
            double average,
            String order,
            int jobs,
            int sets,
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
            within(0, 0.999, "average", average);
            atLeast(1, "jobs", jobs);
            atLeast(1, "sets", sets);
            atLeast(0, "moves", moves);
            RemainingTime.of(order);
        }

        @Override
        public AuctionSettings auctions(boolean preemption) {
            return new AuctionSettings(RemainingTime.of(order), jobs, sets, moves, preemption, patience);
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

    /**
     * Proximal policy optimisation of the bids in an auction of whole gangs, on whole episodes.
     *
     * @param start the first policy
     * @param updates in the whole run
     * @param groups episodes of an update
     * @param group times that each of them is played; each play is compared with the others
     * @param discountHours simulated hours after which a cost counts 1/e in the cost-to-go of a decision
     * @param traceHours simulated hours after which the value of the state, by true run times, stands for the costs
     *     that follow; null for never
     * @param epochs passes over the auctions of an update, at most
     * @param minibatch auctions per gradient step; with an encoder thousands, because small tensors cost more than
     *     they compute
     * @param learningRate Adam's, at the first update
     * @param finalLearningRate Adam's, after the last update; linear in between
     * @param clip PPO clip range epsilon
     * @param entropy entropy coefficient
     * @param targetKl divergence of the new policy from the old, nats, at which an update stops early; 0 disables
     *     the check
     * @param average part of the averaged weights that an update keeps: the policy is the running mean of the
     *     weights, 0..0.999; 0 for the last weights
     * @param scoreDecay part of all scores that the first update takes away before its plays, 0..0.5; linear to 0
     *     over the run. Bids that are hardly ever drawn, and so learn nothing, come back into play
     * @param order title of a {@link RemainingTime}, by which jobs bid and are preempted
     * @param jobs waiting jobs that bid at once
     * @param sets sets of servers for which a job may bid
     * @param moves running jobs that may bid at once to move where they run faster; they need preemption
     * @param patience whether a job may take an option to wait for a consolidated place
     * @param groupBaseline whether a cost is compared with that of the group's other plays at the same time; an
     *     ablation
     * @param controlVariate whether what the state explains before a decision is subtracted from its cost; an ablation
     * @param arrivalSpeeds arrival-rate multipliers, cycled over training and validation episodes
     */
    record Auction(
            BidStart start,
            int updates,
            int groups,
            int group,
            double discountHours,
            @Nullable Double traceHours,
            int epochs,
            int minibatch,
            double learningRate,
            double finalLearningRate,
            double clip,
            double entropy,
            double targetKl,
            double average,
            double scoreDecay,
            String order,
            int jobs,
            int sets,
            int moves,
            boolean patience,
            boolean groupBaseline,
            boolean controlVariate,
            List<Double> arrivalSpeeds)
            implements LearnerSettings {
        public Auction {
            atLeast(0, "updates", updates);
            atLeast(1, "groups", groups);
            atLeast(2, "group", group);
            above(0, "discountHours", discountHours);
            if (traceHours != null) {
                above(0, "traceHours", traceHours);
            }
            atLeast(1, "epochs", epochs);
            atLeast(1, "minibatch", minibatch);
            above(0, "learningRate", learningRate);
            atLeast(0, "finalLearningRate", finalLearningRate);
            above(0, "clip", clip);
            within(0, 1, "clip", clip);
            atLeast(0, "entropy", entropy);
            atLeast(0, "targetKl", targetKl);
            within(0, 0.999, "average", average);
            within(0, 0.5, "scoreDecay", scoreDecay);
            atLeast(1, "jobs", jobs);
            atLeast(1, "sets", sets);
            atLeast(0, "moves", moves);
            RemainingTime.of(order);
            arrivalSpeeds = LearnerChecks.speeds(arrivalSpeeds);
        }

        @Override
        public AuctionSettings auctions(boolean preemption) {
            return new AuctionSettings(RemainingTime.of(order), jobs, sets, moves, preemption, patience);
        }

        @Override
        public BidStart bidStart() {
            return start;
        }
    }
}
