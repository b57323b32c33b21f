package org.trainyard.agents.learned.training;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.auction.AuctionSettings;

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
     * Settings of the auctions in which a learner of bids learns; null for the other learners.
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
     * Proximal policy optimisation of the bids in an auction of whole gangs, on whole episodes. The keys of the three
     * parts stand side by side in a config.
     */
    record Auction(
            @JsonUnwrapped PolicySettings policy,
            @JsonUnwrapped OptimiserSettings optimiser,
            @JsonUnwrapped ScheduleSettings schedule)
            implements LearnerSettings {
        @Override
        public List<Double> arrivalSpeeds() {
            return schedule.arrivalSpeeds();
        }

        @Override
        public AuctionSettings auctions(boolean preemption) {
            return policy.auctions(preemption);
        }

        @Override
        public BidStart bidStart() {
            return policy.start();
        }
    }
}
