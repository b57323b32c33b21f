package org.trainyard.interference.runtime;

import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;

/**
 * Predicts a job's run time from the finished jobs of its group, user and GPU demand and from all finished jobs.
 *
 * <p>It is the smoothed estimate of {@link RunHistory}, the mean of the logarithm of ideal run times. The idea of
 * history by group and user is that of Q. Hu et al.: Characterization and prediction of deep learning workloads in
 * large-scale GPU datacenters, SC 2021; the estimator is ours. O(1) per prediction and finished job.
 */
public final class HistoryRuntimePredictor implements RuntimePredictor {
    /** The prediction before the first completion, seconds. */
    public static final double PRIOR_SECONDS = RunHistory.PRIOR_SECONDS;

    private final RunHistory history = RunHistory.withoutMedians();

    @Override
    public double predictSeconds(JobSpec job) {
        return Math.exp(history.estimate(job));
    }

    @Override
    public void finished(JobSpec job, double idealSeconds) {
        history.add(job, idealSeconds);
    }
}
