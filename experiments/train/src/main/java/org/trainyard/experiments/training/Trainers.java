package org.trainyard.experiments.training;

import java.util.List;
import org.trainyard.agents.learned.training.LearnerPlugin;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.run.Experiment;

/** Makes the trainer that an experiment's config names, before its first update. */
public final class Trainers {
    private Trainers() {}

    public static PolicyTrainer of(TrainingWorlds worlds) {
        Experiment experiment = worlds.first();
        LearnerSettings learner = experiment.config().learner();
        if (learner instanceof LearnerSettings.Auction auction) {
            return BidTrainers.of(worlds, auction);
        }
        LearnerPlugin.Setting world = new LearnerPlugin.Setting(
                experiment.deployment(),
                experiment::reward,
                number -> {
                    Workload workload = experiment.train(number);
                    return () -> experiment.world().simulator(workload);
                },
                experiment.workers(),
                experiment.config().seed());
        return LearnerPlugin.of(learner).trainer(learner, world);
    }

    /**
     * The checkpoints from which training starts, several for an ensemble; none when it starts from random weights or
     * from a rule.
     */
    static List<Checkpoint> startingCheckpoints(ExperimentConfig config) {
        LearnerSettings learner = config.learner();
        return learner.bidStart() == null ? List.of() : BidStarts.checkpoints(learner.bidStart());
    }
}
