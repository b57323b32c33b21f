package org.trainyard.experiments.run;

import java.util.function.Function;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.interference.runtime.ForestRuntimePredictor;
import org.trainyard.interference.runtime.ForestSettings;
import org.trainyard.interference.runtime.HistoryRuntimePredictor;

/** The run-time predictors that a configuration names. */
public final class RuntimePredictors {
    private RuntimePredictors() {}

    /**
     * Makes a fresh predictor for each run.
     *
     * @param seed root seed of the run's random streams
     */
    public static Function<Workload, RuntimePredictor> of(RuntimeConfig runtime, long seed) {
        if (runtime instanceof RuntimeConfig.Oracle) {
            return RuntimePredictor::oracle;
        } else if (runtime instanceof RuntimeConfig.Lognormal noisy) {
            long errors = RandomStreams.derive(seed, "run-time errors");
            return workload -> RuntimePredictor.lognormal(workload, noisy.sigma(), errors);
        } else if (runtime instanceof RuntimeConfig.Forest forest) {
            long forests = RandomStreams.derive(seed, "run-time forests");
            Double growth = forest.growth();
            ForestSettings settings =
                    growth == null ? ForestSettings.DEFAULT : ForestSettings.DEFAULT.withGrowth(growth);
            return workload -> new ForestRuntimePredictor(settings, forests);
        }
        return workload -> new HistoryRuntimePredictor();
    }
}
