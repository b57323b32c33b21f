package org.trainyard.experiments.training;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.agents.learned.dqn.Dqn;
import org.trainyard.agents.learned.policy.Policy;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.search.CemTrainer;
import org.trainyard.agents.learned.search.CrossEntropySearch;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.LearnerConfig;
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.run.Parallel;

/** Makes the trainer that an experiment's config names, before its first update. */
final class Trainers {
    private Trainers() {}

    static PolicyTrainer of(Experiment experiment) {
        ExperimentConfig config = experiment.config();
        LearnerConfig learner = config.learner();
        if (learner instanceof LearnerConfig.Search search) {
            return new CemTrainer(
                    untrained(config),
                    settings(search),
                    config.environment().preemption(),
                    (policies, first, count) -> trials(experiment, search, policies, first, count),
                    RandomStreams.derive(config.seed(), "search"));
        }
        if (learner instanceof LearnerConfig.Dqn dqn) {
            return new Dqn(
                    untrained(config),
                    experiment.environment(),
                    settings(dqn),
                    RandomStreams.derive(config.seed(), "dqn"));
        }
        return GradientTrainers.of(experiment);
    }

    /** What the search starts from, or any other trainer whom no checkpoint gives a start. */
    static PolicyNetwork untrained(ExperimentConfig config) {
        return new PolicyNetwork(
                new PolicyNetwork.Settings(
                        encoder(config.network().encoder()),
                        config.network().hidden(),
                        config.network().rounds()),
                RandomStreams.derive(config.seed(), "weights"));
    }

    private static PolicyNetwork.Encoder encoder(String name) {
        return name.equals(ExperimentConfig.Network.FLAT)
                ? PolicyNetwork.Encoder.FLAT
                : PolicyNetwork.Encoder.HIERARCHICAL;
    }

    private static CemTrainer.Settings settings(LearnerConfig.Search search) {
        return new CemTrainer.Settings(
                new CrossEntropySearch.Settings(
                        search.generations(), search.population(), search.elites(), search.step(), search.floor()),
                search.episodes(),
                search.sharpness());
    }

    private static Dqn.Settings settings(LearnerConfig.Dqn dqn) {
        return new Dqn.Settings(
                dqn.updates(),
                dqn.decisionsPerUpdate(),
                dqn.remembered(),
                dqn.warmUp(),
                dqn.learnEvery(),
                dqn.batch(),
                dqn.targetEvery(),
                dqn.learningRate(),
                dqn.exploreStart(),
                dqn.exploreEnd(),
                dqn.exploreShare(),
                dqn.discountHours(),
                dqn.rewardScale(),
                dqn.maxGradientNorm());
    }

    /** Plays the episodes with every policy, on all cores. */
    private static double[] trials(
            Experiment experiment, LearnerConfig.Search search, Policy[] policies, long first, int count) {
        List<Workload> episodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int speed = (int) ((first + i) % search.arrivalSpeeds().size());
            episodes.add(experiment.train(first + i, search.arrivalSpeeds().get(speed)));
        }
        List<Double> logs = Parallel.map(
                policies.length * count,
                i -> Math.log(
                        EvaluationRunner.meanJctSeconds(experiment, policies[i / count], episodes.get(i % count))),
                () -> {});
        double[] means = new double[policies.length];
        for (int i = 0; i < logs.size(); i++) {
            means[i / count] += logs.get(i) / count;
        }
        return means;
    }
}
