package org.trainyard.agents.learned.dqn;

import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.training.LearnerPlugin;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.AuctionSettings;

/** Deep Q-learning as a learner of configs, from a network of random weights. */
public final class DqnPlugin implements LearnerPlugin {
    @Override
    public Class<Dqn> settings() {
        return Dqn.class;
    }

    @Override
    public PolicyTrainer trainer(LearnerSettings settings, Setting world) {
        Dqn dqn = (Dqn) settings;
        AuctionSettings auctions = dqn.auctions(true);
        return new DqnTrainer(
                new BidPolicy(
                        InitialBids.random(dqn.hidden(), RandomStreams.stream(world.seed(), "weights")), auctions),
                dqn,
                world.deployment(),
                world.reward(),
                world.episodes(),
                world.workers(),
                RandomStreams.derive(world.seed(), "dqn"));
    }
}
