package org.trainyard.experiments.run;

import java.util.function.Function;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.interference.runtime.ForestRuntimePredictor;
import org.trainyard.interference.runtime.ForestSettings;
import org.trainyard.interference.runtime.HistoryRuntimePredictor;

/** Makes the run-time predictors that a configuration names, a fresh one for each run. */
public final class RuntimePredictors {
    private RuntimePredictors() {}

    /** @param seed the root of the run's draws */
    public static Function<Workload, RuntimePredictor> of(RuntimeConfig runtime, long seed) {
        if (runtime instanceof RuntimeConfig.Oracle) {
            return RuntimePredictor::oracle;
        } else if (runtime instanceof RuntimeConfig.Lognormal noisy) {
            long errors = RandomStreams.derive(seed, "run-time errors");
            return workload -> RuntimePredictor.lognormal(workload, noisy.sigma(), errors);
        } else if (runtime instanceof RuntimeConfig.Forest) {
            long forests = RandomStreams.derive(seed, "run-time forests");
            return workload -> new ForestRuntimePredictor(ForestSettings.DEFAULT, forests);
        }
        return workload -> new HistoryRuntimePredictor();
    }
}
