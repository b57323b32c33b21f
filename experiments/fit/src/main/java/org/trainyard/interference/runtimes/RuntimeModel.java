package org.trainyard.interference.runtimes;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.interference.forest.RegressionForest;
import org.trainyard.interference.runtime.RunHistory;

/**
 * A forest grown from a log with the history of the log's users and groups: the state of a predictor at the end of
 * the log.
 */
public final class RuntimeModel {
    private final RegressionForest forest;
    private final RunHistory history;
    private final int jobs;

    RuntimeModel(RegressionForest forest, RunHistory history, int jobs) {
        this.forest = forest;
        this.history = history;
        this.jobs = jobs;
    }

    /** Fits a whole log; the seed decides all draws. */
    public static RuntimeModel fit(RuntimeLog log, ForestSettings settings, long seed) {
        ReplayedLog replayed = ReplayedLog.of(log);
        RuntimeRows rows = replayed.finishedBy(Long.MAX_VALUE);
        return new RuntimeModel(
                ForestGrower.grow(rows.newest(settings.mostJobs()), settings, seed), replayed.history(), log.size());
    }

    /** The predicted run time of a job submitted at the end of the log; the history does not change. */
    public RuntimeGuess guess(JobSpec job) {
        return guess(forest, SubmissionFeatures.row(job, history), history.estimate(job));
    }

    static RuntimeGuess guess(@Nullable RegressionForest forest, float[] row, double estimate) {
        if (forest == null) {
            double seconds = Math.exp(estimate);
            return new RuntimeGuess(seconds, seconds, seconds);
        }
        double[] distribution = forest.distribution(row);
        return new RuntimeGuess(
                Math.exp(forest.mean(row)),
                Math.exp(RegressionForest.quantile(distribution, 0.5)),
                Math.exp(RegressionForest.quantile(distribution, 0.9)));
    }

    /** Jobs of the log it was fitted on. */
    public int jobs() {
        return jobs;
    }

    public int trees() {
        return forest.trees();
    }

    /** Nodes of all trees, leaves among them. */
    public int nodes() {
        return forest.nodes();
    }

    RegressionForest forest() {
        return forest;
    }

    RunHistory history() {
        return history;
    }
}
