package org.trainyard.experiments.training;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidEncoder;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.inside.InsideLevel;
import org.trainyard.agents.learned.ppo.Ppo;
import org.trainyard.agents.learned.ppo.Rollouts;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ExperimentConfig.Inside;
import org.trainyard.experiments.config.ExperimentConfig.Network;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.gnn.cluster.ClusterEncoder;

/** Makes the trainer of agents that bid in auctions, before its first update. */
final class BidTrainers {
    private BidTrainers() {}

    static PolicyTrainer of(TrainingWorlds worlds, LearnerSettings.Auction settings) {
        Experiment first = worlds.first();
        long seed = first.config().seed();
        boolean isDrawn = first.config().draws() != null;
        BidPolicy start = start(settings, first.config().network(), seed);
        return new Ppo(
                start,
                settings,
                number -> {
                    int its = worlds.worldOf(number);
                    Experiment world = worlds.get(its);
                    return new Rollouts.Episode(
                            simulators(world, settings, worlds.episode(number), worlds.options("" + number)),
                            world.deployment(),
                            isDrawn ? world::rewardWithRestarts : world::reward,
                            its);
                },
                first.workers(),
                RandomStreams.derive(seed, "auction"));
    }

    private static BidPolicy start(LearnerSettings.Auction settings, @Nullable Network network, long seed) {
        BidStarts.First first = BidStarts.first(settings.policy().start(), RandomStreams.stream(seed, "weights"));
        BidNetwork bids = first.network();
        BidEncoder encoder = first.encoder();
        if (network == null) {
            return policy(bids, encoder, settings);
        }
        if (encoder != null) {
            throw InputException.at(
                    "network", network, "null, for the policy in learner.start.from has an encoder of its own");
        }
        if (Network.RAW.equals(network.columns())) {
            bids.ignore(BidColumn.ENGINEERED);
        }
        ClusterEncoder.Kind kind =
                network.encoder().equals(Network.FLAT) ? ClusterEncoder.Kind.FLAT : ClusterEncoder.Kind.HIERARCHICAL;
        InsideLevel inside = network.inside() == null ? null : inside(network.inside());
        encoder = BidEncoder.random(
                kind, network.hidden(), network.rounds(), inside, RandomStreams.derive(seed, "weights/encoder"));
        BidNetwork wide = InitialBids.withInputs(bids, encoder.inputs(), RandomStreams.stream(seed, "weights/inputs"));
        return policy(wide, encoder, settings);
    }

    private static InsideLevel inside(Inside inside) {
        return inside.from().equals(Inside.SHIPPED)
                ? InsideLevel.shipped(inside.learn())
                : InsideLevel.load(InputFiles.path(inside.from()), inside.learn());
    }

    private static BidPolicy policy(
            BidNetwork network, @Nullable BidEncoder encoder, LearnerSettings.Auction settings) {
        return BidStarts.policy(network, encoder, settings.auctions(true));
    }

    private static Supplier<Simulator> simulators(
            Experiment experiment,
            LearnerSettings.Auction settings,
            long number,
            UnaryOperator<Simulator.Options> options) {
        int speed = (int) (number % settings.arrivalSpeeds().size());
        Workload workload = experiment.train(number, settings.arrivalSpeeds().get(speed));
        return () -> experiment
                .world()
                .with(options.apply(experiment.world().options()))
                .simulator(workload);
    }
}
