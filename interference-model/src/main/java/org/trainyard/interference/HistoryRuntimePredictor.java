package org.trainyard.interference;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;

/**
 * Guesses a job's run time from finished jobs like it: those of its group, else of its user, else of its GPU demand, else all.
 *
 * <p>Each level keeps the mean of the logarithm of ideal run times and leans on the next as if that were {@code
 * WEIGHT} finished jobs
 * more: one smoothed estimate, no thresholds. Demands are bucketed by powers of two. Before anything has finished the guess is
 * {@link #PRIOR_SECONDS}. The idea of history by group and user is that of Q. Hu et al.: Characterization and prediction of deep
 * learning workloads in large-scale GPU datacenters, SC 2021; the estimator is ours. O(1) per question.
 */
public final class HistoryRuntimePredictor implements RuntimePredictor {
    /** The guess before anything has finished, seconds: half an hour, which only sets the scale; chosen by us. */
    public static final double PRIOR_SECONDS = 1800;

    /** How many finished jobs the next level's estimate counts for; chosen by us. */
    private static final double WEIGHT = 2;

    private static final class History {
        private int count;
        private double logSum;

        void add(double logSeconds) {
            count++;
            logSum += logSeconds;
        }

        double estimate(double leaningOn) {
            return (WEIGHT * leaningOn + logSum) / (WEIGHT + count);
        }
    }

    private final History all = new History();
    private final History[] byDemand = new History[32];
    // Looked up by key and never walked, so hash order does not show.
    private final Map<String, History> byUser = new HashMap<>();
    private final Map<String, History> byGroup = new HashMap<>();

    /** A predictor that has seen nothing; one per run. */
    public HistoryRuntimePredictor() {
        for (int bucket = 0; bucket < byDemand.length; bucket++) {
            byDemand[bucket] = new History();
        }
    }

    @Override
    public double predictSeconds(JobSpec job) {
        double estimate = all.estimate(Math.log(PRIOR_SECONDS));
        estimate = byDemand[bucket(job)].estimate(estimate);
        estimate = refine(byUser, job.user(), estimate);
        estimate = refine(byGroup, job.group(), estimate);
        return Math.exp(estimate);
    }

    private static double refine(Map<String, History> histories, @Nullable String key, double estimate) {
        History history = key == null ? null : histories.get(key);
        return history == null ? estimate : history.estimate(estimate);
    }

    @Override
    public void finished(JobSpec job, double idealSeconds) {
        double logSeconds = Math.log(idealSeconds);
        all.add(logSeconds);
        byDemand[bucket(job)].add(logSeconds);
        add(byUser, job.user(), logSeconds);
        add(byGroup, job.group(), logSeconds);
    }

    private static void add(Map<String, History> histories, @Nullable String key, double logSeconds) {
        if (key != null) {
            histories.computeIfAbsent(key, unseen -> new History()).add(logSeconds);
        }
    }

    private static int bucket(JobSpec job) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(Math.max(1, job.gpus()));
    }
}
