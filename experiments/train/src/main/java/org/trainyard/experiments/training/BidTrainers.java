package org.trainyard.experiments.training;

import java.util.List;
import java.util.function.UnaryOperator;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.ppo.Ppo;
import org.trainyard.agents.learned.ppo.Rollouts;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.run.Experiment;

/** Makes the trainer of agents that bid in auctions, before its first update. */
final class BidTrainers {
    private BidTrainers() {}

    static PolicyTrainer of(TrainingWorlds worlds, LearnerSettings.Auction settings) {
        Experiment first = worlds.first();
        long seed = first.config().seed();
        Rollouts.Episodes episodes = episodes(worlds, settings.schedule().arrivalSpeeds());
        BidPolicy start = BidStarts.first(settings.policy(), first.config().network(), seed);
        return new Ppo(
                start,
                settings.optimiser(),
                settings.schedule(),
                episodes,
                first.workers(),
                RandomStreams.derive(seed, "auction"));
    }

    /** The training episodes by their numbers, in turn at each of the arrival speeds. */
    private static Rollouts.Episodes episodes(TrainingWorlds worlds, List<Double> speeds) {
        boolean isDrawn = worlds.first().config().domainRandomisation() != null;
        return number -> {
            int its = worlds.worldOf(number);
            Experiment world = worlds.get(its);
            long episode = worlds.episode(number);
            Workload workload = world.train(episode, speeds.get((int) (episode % speeds.size())));
            UnaryOperator<Simulator.Options> options = worlds.options("" + number);
            return new Rollouts.Episode(
                    () -> world.world()
                            .with(options.apply(world.world().options()))
                            .simulator(workload),
                    world.deployment(),
                    isDrawn ? world::rewardWithRestarts : world::reward,
                    its);
        };
    }
}
