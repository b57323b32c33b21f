package org.trainyard.experiments.training;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.InitialRules;
import org.trainyard.agents.learned.policy.Policy;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.ppo.Ppo;
import org.trainyard.agents.learned.search.CemTrainer;
import org.trainyard.agents.learned.training.ExpertIteration;
import org.trainyard.agents.learned.training.Imitation;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.ClusterEnv;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.evaluation.SchedulerFactory;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.run.EpisodeSet;
import org.trainyard.experiments.run.Experiment;

/** Makes the trainer that an experiment's config names, before its first update. */
final class Trainers {
    /** Inverse temperature of a linear rule that is imitated. */
    private static final double RULE_INVERSE_TEMPERATURE = 20;

    private Trainers() {}

    static PolicyTrainer of(TrainingWorlds worlds) {
        Experiment experiment = worlds.first();
        ExperimentConfig config = experiment.config();
        LearnerSettings learner = config.learner();
        if (learner instanceof LearnerSettings.Search search) {
            return new CemTrainer(
                    untrained(config),
                    search,
                    config.environment().preemption(),
                    (policies, first, count) -> meanLogJct(experiment, search, policies, first, count),
                    RandomStreams.derive(config.seed(), "search"));
        } else if (learner instanceof LearnerSettings.Dqn dqn) {
            return BidTrainers.of(experiment, dqn);
        } else if (learner instanceof LearnerSettings.A2c a2c) {
            return ppo(experiment, a2c.toPpo());
        } else if (learner instanceof LearnerSettings.Auction auction) {
            return BidTrainers.of(worlds, auction);
        } else if (learner instanceof ExpertIteration expert) {
            return ExpertTrainers.of(experiment, expert);
        }
        return ppo(experiment, (LearnerSettings.Ppo) learner);
    }

    private static PolicyTrainer ppo(Experiment experiment, LearnerSettings.Ppo settings) {
        ExperimentConfig config = experiment.config();
        List<ClusterEnv> envs = IntStream.range(0, settings.environments())
                .mapToObj(i -> experiment.environment())
                .toList();
        PolicyNetwork policy = settings.startFrom() == null
                ? untrained(config)
                : open("learner.start_from", settings.startFrom(), settings.inverseTemperature());
        try (PolicyNetwork teacher = teacher(config, settings.imitate())) {
            return new Ppo(
                    policy, teacher, envs, settings, experiment.workers(), RandomStreams.derive(config.seed(), "ppo"));
        }
    }

    /** The checkpoints from which training starts, several for an ensemble; none when it starts from random weights or from a rule. */
    static List<Checkpoint> startingCheckpoints(ExperimentConfig config) {
        LearnerSettings learner = config.learner();
        if (learner.bidStart() != null) {
            return BidStarts.checkpoints(learner.bidStart());
        }
        LearnerSettings settings = learner instanceof LearnerSettings.A2c a2c ? a2c.toPpo() : learner;
        return settings instanceof LearnerSettings.Ppo ppo && ppo.startFrom() != null
                ? List.of(Checkpoint.open("learner.start_from", InputFiles.path(ppo.startFrom())))
                : List.of();
    }

    private static @Nullable PolicyNetwork teacher(ExperimentConfig config, Imitation imitate) {
        if (imitate instanceof Imitation.Policy other) {
            return open("learner.imitate.from", other.from(), other.inverseTemperature());
        } else if (imitate instanceof Imitation.Rule) {
            PolicyNetwork rule = untrained(config);
            rule.initialiseFrom(InitialRules.patient(), RULE_INVERSE_TEMPERATURE);
            return rule;
        }
        return null;
    }

    private static PolicyNetwork open(String place, String folder, double inverseTemperature) {
        if (Checkpoint.open(place, InputFiles.path(folder)).policy() instanceof PolicyNetwork policy) {
            policy.scaleLogits(inverseTemperature);
            return policy;
        }
        throw InputException.at(place, folder, "the checkpoint of a policy network; this policy bids in auctions");
    }

    /** The network with its initial random weights. */
    private static PolicyNetwork untrained(ExperimentConfig config) {
        ExperimentConfig.Network network =
                Objects.requireNonNull(config.network(), "a config whose learner reads its network");
        PolicyNetwork.Encoder encoder = network.encoder().equals(ExperimentConfig.Network.FLAT)
                ? PolicyNetwork.Encoder.FLAT
                : PolicyNetwork.Encoder.HIERARCHICAL;
        return new PolicyNetwork(
                new PolicyNetwork.Settings(encoder, network.hidden(), network.rounds()),
                RandomStreams.derive(config.seed(), "weights"));
    }

    /** Runs the episodes {@code first .. first + count - 1} with every policy, in parallel, on the machines of the experiment where it has some. */
    private static double[] meanLogJct(
            Experiment experiment, LearnerSettings.Search search, Policy[] policies, long first, int count) {
        EpisodeSet episodes = EpisodeSet.training(experiment, first, count, search.arrivalSpeeds());
        List<SchedulerFactory> schedulers = Arrays.stream(policies)
                .map(policy -> SchedulerFactory.learned(experiment, "", policy))
                .toList();
        List<List<Double>> seconds = new EvaluationRunner(experiment, episodes).meanJctSeconds(schedulers, () -> {});
        double[] means = new double[policies.length];
        for (int i = 0; i < policies.length; i++) {
            for (double jct : seconds.get(i)) {
                means[i] += Math.log(jct) / count;
            }
        }
        return means;
    }
}
