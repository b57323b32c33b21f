package org.trainyard.experiments.papers.marl;

import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.training.Trainers;
import org.trainyard.experiments.training.TrainingWorlds;

/**
 * A policy that bids before and after its training, which leaves no files.
 *
 * @param untrained before the first update
 * @param trained the best on validation episodes
 */
public record PolicyTraining(BidPolicy untrained, BidPolicy trained) {
    /**
     * Trains the policy of an experiment.
     *
     * @param task what it is called while it goes on
     */
    public static PolicyTraining of(Experiment experiment, String task) {
        try (TrainingWorlds worlds = new TrainingWorlds(experiment);
                PolicyTrainer trainer = Trainers.of(worlds);
                Progress progress = Progress.start(task, trainer.plannedUpdates())) {
            BidPolicy untrained = trainer.policy().copy();
            BidPolicy best = untrained;
            double least = Double.POSITIVE_INFINITY;
            while (!trainer.isDone()) {
                trainer.update();
                progress.to(trainer.updates(), "");
                if (trainer.isDone() || trainer.updates() % experiment.config().validateEvery() == 0) {
                    double seconds = worlds.geometricMeanJctSeconds(trainer.policy());
                    if (seconds < least) {
                        least = seconds;
                        best = trainer.policy().copy();
                    }
                }
            }
            return new PolicyTraining(untrained, best);
        }
    }
}
