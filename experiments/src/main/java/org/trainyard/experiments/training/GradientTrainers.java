package org.trainyard.experiments.training;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.ppo.Ppo;
import org.trainyard.agents.learned.ppo.PpoSettings;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.ClusterEnv;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.ImitationConfig;
import org.trainyard.experiments.config.LearnerConfig;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.run.Parallel;

/** Makes the trainers that follow gradients, before their first update. */
final class GradientTrainers {
    /** How surely a rule that is imitated takes what scores best. */
    private static final double RULE_SHARPNESS = 20;

    private GradientTrainers() {}

    static PolicyTrainer of(Experiment experiment) {
        ExperimentConfig config = experiment.config();
        LearnerConfig.Gradient learner = (LearnerConfig.Gradient) config.learner();
        List<ClusterEnv> envs = IntStream.range(0, learner.environments())
                .mapToObj(i -> experiment.environment())
                .toList();
        PpoSettings settings = settings(learner);
        long seed = RandomStreams.derive(config.seed(), "ppo");
        PolicyNetwork policy = policy(config, learner);
        try (PolicyNetwork teacher = teacher(config, learner.imitate())) {
            return new Ppo(policy, teacher, envs, settings, Parallel::each, seed);
        }
    }

    private static PolicyNetwork policy(ExperimentConfig config, LearnerConfig.Gradient learner) {
        return learner.startFrom() == null
                ? Trainers.untrained(config)
                : open("learner.start_from", learner.startFrom(), learner.sharpness());
    }

    private static PolicyNetwork open(String place, String folder, double sharpness) {
        PolicyNetwork policy = Checkpoint.open(place, InputFiles.path(folder)).policy();
        policy.sharpen(sharpness);
        return policy;
    }

    private static @Nullable PolicyNetwork teacher(ExperimentConfig config, ImitationConfig imitate) {
        if (imitate instanceof ImitationConfig.Policy other) {
            return open("learner.imitate.from", other.from(), other.sharpness());
        }
        if (imitate instanceof ImitationConfig.Rule) {
            PolicyNetwork rule = Trainers.untrained(config);
            rule.becomePatient(RULE_SHARPNESS);
            return rule;
        }
        return null;
    }

    private static PpoSettings settings(LearnerConfig.Gradient learner) {
        return new PpoSettings(
                learner.updates(),
                learner.environments(),
                learner.stepsPerUpdate() / learner.environments(),
                learner.workers(),
                learner.baseline().environmentsPerEpisode(),
                descent(learner),
                learner.discountHours(),
                learner.gaeHours(),
                new PpoSettings.Teaching(
                        learner.residual(),
                        learner.teacherWeightStart(),
                        learner.teacherWeightEnd(),
                        learner.imitate().updates()));
    }

    private static PpoSettings.Descent descent(LearnerConfig.Gradient learner) {
        if (learner instanceof LearnerConfig.Ppo ppo) {
            return new PpoSettings.Descent(
                    ppo.epochs(),
                    ppo.minibatch(),
                    ppo.learningRate(),
                    ppo.clip(),
                    ppo.entropyStart(),
                    ppo.entropyEnd(),
                    ppo.valueWeight(),
                    ppo.maxGradientNorm(),
                    ppo.targetKl());
        }
        return PpoSettings.Descent.actorCritic(
                learner.stepsPerUpdate(),
                learner.learningRate(),
                learner.entropyStart(),
                learner.entropyEnd(),
                learner.valueWeight(),
                learner.maxGradientNorm());
    }
}
