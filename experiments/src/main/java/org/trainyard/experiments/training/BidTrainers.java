package org.trainyard.experiments.training;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.AuctionPpo;
import org.trainyard.agents.learned.auction.BidEncoder;
import org.trainyard.agents.learned.auction.BidNetwork;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.auction.InitialBids;
import org.trainyard.agents.learned.dqn.Dqn;
import org.trainyard.agents.learned.policy.TrainedPolicy;
import org.trainyard.agents.learned.training.BidStart;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.agents.learned.training.Teachers;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ExperimentConfig.Network;
import org.trainyard.experiments.config.yaml.Nearest;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.gnn.cluster.ClusterEncoder;

/** Makes the trainer of agents that bid in auctions, before its first update. */
final class BidTrainers {
    private static final String PLACE = "learner.start.from";

    /** Where a config names the checkpoint of a teacher. */
    static final String TEACHER = "learner.teachers.policies.from";

    private BidTrainers() {}

    static PolicyTrainer of(TrainingWorlds worlds, LearnerSettings.Auction settings) {
        Experiment first = worlds.first();
        long seed = first.config().seed();
        BidPolicy start = start(settings, first.config().network(), seed);
        Map<String, BidPolicy> teachers = teachers(worlds.names(), settings.teachers());
        return new AuctionPpo(
                start,
                settings,
                number -> {
                    int its = worlds.worldOf(number);
                    Experiment world = worlds.get(its);
                    return new AuctionPpo.Episode(
                            simulators(world, settings, worlds.episode(number)),
                            world.deployment(),
                            world::reward,
                            its,
                            teachers.get(world.config().name()));
                },
                first.workers(),
                RandomStreams.derive(seed, "auction"));
    }

    static PolicyTrainer of(Experiment experiment, LearnerSettings.Dqn settings) {
        long seed = experiment.config().seed();
        BidNetwork start = InitialBids.random(settings.hidden(), RandomStreams.stream(seed, "weights"));
        return new Dqn(
                new BidPolicy(
                        start,
                        RemainingTime.of(settings.order()),
                        settings.jobs(),
                        settings.sets(),
                        settings.moves(),
                        settings.patience()),
                settings,
                experiment.deployment(),
                experiment::reward,
                number -> {
                    Workload workload = experiment.train(number);
                    return () -> experiment.simulator(workload);
                },
                experiment.workers(),
                RandomStreams.derive(seed, "dqn"));
    }

    /** The teachers by the names of their worlds. */
    private static Map<String, BidPolicy> teachers(List<String> worlds, @Nullable Teachers teachers) {
        Map<String, BidPolicy> policies = new HashMap<>();
        for (Teachers.Teacher teacher : teachers == null ? List.<Teachers.Teacher>of() : teachers.policies()) {
            if (!worlds.contains(teacher.world())) {
                throw InputException.at(
                        "learner.teachers.policies.world", teacher.world(), Nearest.oneOf(teacher.world(), worlds));
            }
            policies.put(teacher.world(), policy(TEACHER, teacher.from()));
        }
        return policies;
    }

    private static BidPolicy start(LearnerSettings.Auction settings, @Nullable Network network, long seed) {
        BidNetwork bids;
        BidEncoder encoder = null;
        RandomGenerator random = RandomStreams.stream(seed, "weights");
        if (settings.start() instanceof BidStart.Patient rule) {
            bids = InitialBids.patient(rule.hidden(), rule.sharpness(), random);
        } else if (settings.start() instanceof BidStart.Scratch scratch) {
            bids = InitialBids.random(scratch.hidden(), random);
        } else {
            BidPolicy policy = policy((BidStart.Checkpoint) settings.start());
            bids = policy.network();
            encoder = policy.encoder();
        }
        if (network == null) {
            return policy(bids, encoder, settings);
        }
        if (encoder != null) {
            throw InputException.at(
                    "network", network, "null, for the policy in %s has an encoder of its own".formatted(PLACE));
        }
        if (Network.RAW.equals(network.columns())) {
            bids.ignore(BidColumn.ENGINEERED);
        }
        ClusterEncoder.Kind kind =
                network.encoder().equals(Network.FLAT) ? ClusterEncoder.Kind.FLAT : ClusterEncoder.Kind.HIERARCHICAL;
        encoder = BidEncoder.random(
                kind, network.hidden(), network.rounds(), RandomStreams.derive(seed, "weights/encoder"));
        BidNetwork wide = InitialBids.withEncoder(bids, encoder, RandomStreams.stream(seed, "weights/inputs"));
        return policy(wide, encoder, settings);
    }

    private static BidPolicy policy(
            BidNetwork network, @Nullable BidEncoder encoder, LearnerSettings.Auction settings) {
        return new BidPolicy(
                network,
                encoder,
                RemainingTime.of(settings.order()),
                settings.jobs(),
                settings.sets(),
                settings.moves(),
                settings.patience());
    }

    /** The policy in the checkpoint from which learning starts. */
    static BidPolicy policy(BidStart.Checkpoint other) {
        return policy(PLACE, other.from());
    }

    private static BidPolicy policy(String place, String folder) {
        TrainedPolicy policy = Checkpoint.open(place, InputFiles.path(folder)).policy();
        if (policy instanceof BidPolicy bids) {
            return bids;
        }
        policy.close();
        throw InputException.at(place, folder, "the checkpoint of a policy that bids in auctions");
    }

    /** The checkpoint from which learning starts. */
    static Checkpoint checkpoint(BidStart.Checkpoint start) {
        return Checkpoint.open(PLACE, InputFiles.path(start.from()));
    }

    private static Supplier<Simulator> simulators(
            Experiment experiment, LearnerSettings.Auction settings, long number) {
        int speed = (int) (number % settings.arrivalSpeeds().size());
        Workload workload = experiment.train(number, settings.arrivalSpeeds().get(speed));
        return () -> experiment.simulator(workload);
    }
}
