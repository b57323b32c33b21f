package org.trainyard.interference.runtime;

import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;

/**
 * Guesses a job's run time from finished jobs like it: those of its group, else of its user, else of its GPU demand, else all.
 *
 * <p>It is the smoothed estimate of {@link RunHistory}, the mean of the logarithm of ideal run times. The idea of history by group and
 * user is that of Q. Hu et al.: Characterization and prediction of deep learning workloads in large-scale GPU datacenters, SC 2021; the
 * estimator is ours. O(1) per question, O(log n) per finished job.
 */
public final class HistoryRuntimePredictor implements RuntimePredictor {
    /** The guess before anything has finished, seconds. */
    public static final double PRIOR_SECONDS = RunHistory.PRIOR_SECONDS;

    private final RunHistory history = new RunHistory();

    @Override
    public double predictSeconds(JobSpec job) {
        return Math.exp(history.estimate(job));
    }

    @Override
    public void finished(JobSpec job, double idealSeconds) {
        history.add(job, idealSeconds);
    }
}
