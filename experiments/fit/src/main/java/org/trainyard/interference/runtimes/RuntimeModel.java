package org.trainyard.interference.runtimes;

import java.util.Objects;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.interference.forest.RegressionForest;
import org.trainyard.interference.runtime.ForestRuntimePredictor;
import org.trainyard.interference.runtime.RuntimeGuess;

/**
 * A predictor at the end of a log, with a forest grown there.
 *
 * @param predictor answers and changes no more
 * @param jobs of the log it was fitted on
 */
public record RuntimeModel(ForestRuntimePredictor predictor, int jobs) {
    /** Fits a whole log of at least one job. */
    public static RuntimeModel fit(ReplayedLog log) {
        log.forest().grow();
        return new RuntimeModel(log.forest(), log.log().size());
    }

    /** The predicted run time of a job submitted at the end of the log; the history does not change. */
    public RuntimeGuess guess(JobSpec job) {
        return predictor.ask(job);
    }

    /** The trees of the last forest. */
    public RegressionForest forest() {
        return Objects.requireNonNull(predictor.forest());
    }
}
