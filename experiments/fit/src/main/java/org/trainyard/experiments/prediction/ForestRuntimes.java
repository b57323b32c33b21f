package org.trainyard.experiments.prediction;

import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.experiments.run.LearnedRuntimes;
import org.trainyard.interference.runtimes.ForestRuntimePredictor;
import org.trainyard.interference.runtimes.ForestSettings;

/** Predicts run times with forests of the standard settings, which learn from finished jobs. */
public final class ForestRuntimes implements LearnedRuntimes {
    @Override
    public RuntimePredictor forest(long seed) {
        return new ForestRuntimePredictor(ForestSettings.DEFAULT, seed);
    }
}
