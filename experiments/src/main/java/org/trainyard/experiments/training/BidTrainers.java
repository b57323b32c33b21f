package org.trainyard.experiments.training;

import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.trainyard.agents.learned.auction.AuctionPpo;
import org.trainyard.agents.learned.auction.BidNetwork;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.auction.InitialBids;
import org.trainyard.agents.learned.policy.TrainedPolicy;
import org.trainyard.agents.learned.training.BidStart;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.run.Experiment;

/** Makes the trainer of agents that bid in auctions, before its first update. */
final class BidTrainers {
    private static final String PLACE = "learner.start.from";

    private BidTrainers() {}

    static PolicyTrainer of(Experiment experiment, LearnerSettings.Auction settings) {
        long seed = experiment.config().seed();
        BidPolicy start = new BidPolicy(
                network(settings.start(), RandomStreams.stream(seed, "weights")),
                RemainingTime.of(settings.order()),
                settings.jobs(),
                settings.sets(),
                settings.moves(),
                settings.patience());
        return new AuctionPpo(
                start,
                settings,
                experiment.deployment(),
                experiment::reward,
                number -> simulators(experiment, settings, number),
                experiment.workers(),
                RandomStreams.derive(seed, "auction"));
    }

    private static BidNetwork network(BidStart start, RandomGenerator random) {
        if (start instanceof BidStart.Patient rule) {
            return InitialBids.patient(rule.hidden(), rule.sharpness(), random);
        } else if (start instanceof BidStart.Scratch scratch) {
            return InitialBids.random(scratch.hidden(), random);
        }
        BidStart.Checkpoint other = (BidStart.Checkpoint) start;
        TrainedPolicy policy = checkpoint(other).policy();
        if (policy instanceof BidPolicy bids) {
            return bids.network();
        }
        policy.close();
        throw InputException.at(PLACE, other.from(), "the checkpoint of a policy that bids in auctions");
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
