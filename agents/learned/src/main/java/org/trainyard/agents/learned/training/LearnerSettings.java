package org.trainyard.agents.learned.training;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.RemainingTime;

/**
 * The learners and their hyperparameters. An experiment's {@code learner} section is bound to one of the records that
 * {@link #variants} lists, {@code type} being its name and every key a component in snake case; the trainer takes that
 * record.
 */
public interface LearnerSettings {
    /** The record of this project's learner, and those of {@link LearnerPlugin}s; configs are bound to them. */
    static List<Class<? extends LearnerSettings>> variants() {
        List<Class<? extends LearnerSettings>> all = new ArrayList<>(List.of(Auction.class));
        LearnerPlugin.all().forEach(plugin -> all.add(plugin.settings()));
        return all;
    }

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
