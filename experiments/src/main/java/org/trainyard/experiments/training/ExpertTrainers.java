package org.trainyard.experiments.training;

import java.util.random.RandomGenerator;
import org.trainyard.agents.learned.auction.BidNetwork;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.expert.EpisodeLabeller;
import org.trainyard.agents.learned.expert.EpisodeLabels;
import org.trainyard.agents.learned.expert.ForkableWorld;
import org.trainyard.agents.learned.expert.RolloutPolicyIteration;
import org.trainyard.agents.learned.training.BidStart;
import org.trainyard.agents.learned.training.ExpertIteration;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.fleet.Fleet;
import org.trainyard.experiments.run.Experiment;

/** Makes the trainer that improves bids by expert iteration, before its first update. */
final class ExpertTrainers {
    /** Far from the episodes of the training that is continued. */
    private static final long FIRST_EPISODE = 1_000_000_000L;

    private ExpertTrainers() {}

    static PolicyTrainer of(Experiment experiment, ExpertIteration settings) {
        BidNetwork network = network(
                settings.start(), RandomStreams.stream(experiment.config().seed(), "weights"));
        return new RolloutPolicyIteration(
                policy(network, settings),
                settings,
                labels(experiment, settings),
                experiment.workers(),
                seed(experiment));
    }

    /** On the machines of the experiment where it has some. */
    private static EpisodeLabels labels(Experiment experiment, ExpertIteration settings) {
        Fleet fleet = experiment.fleet();
        return fleet == null
                ? labeller(experiment, settings).on(experiment.workers())
                : new ExpertFleet(fleet, experiment, settings.episodes());
    }

    /** The policy that the settings describe, with these weights. */
    static BidPolicy policy(BidNetwork network, ExpertIteration settings) {
        return BidStarts.policy(network, null, settings.auctions(true));
    }

    /** What plays and labels an episode of the training. */
    static EpisodeLabeller labeller(Experiment experiment, ExpertIteration settings) {
        return new EpisodeLabeller(settings, experiment.deployment(), world(experiment, settings), seed(experiment));
    }

    private static long seed(Experiment experiment) {
        return RandomStreams.derive(experiment.config().seed(), "expert iteration");
    }

    private static BidNetwork network(BidStart start, RandomGenerator random) {
        BidStarts.First first = BidStarts.first(start, random);
        if (first.encoder() != null) {
            throw InputException.at(
                    "learner.start",
                    start,
                    "the checkpoint of a policy without encoder, which expert iteration can teach");
        }
        return first.network();
    }

    private static ForkableWorld world(Experiment experiment, ExpertIteration settings) {
        return new ForkableWorld() {
            @Override
            public Workload episode(long number) {
                int speed = (int) (number % settings.arrivalSpeeds().size());
                return experiment.train(
                        FIRST_EPISODE + number, settings.arrivalSpeeds().get(speed));
            }

            @Override
            public Simulator simulator(Workload episode) {
                return experiment.simulator(episode);
            }

            @Override
            public Simulator fork(Simulator simulator, Workload future) {
                return experiment.forkInto(simulator, future);
            }
        };
    }
}
