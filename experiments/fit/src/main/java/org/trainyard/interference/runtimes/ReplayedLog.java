package org.trainyard.interference.runtimes;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.interference.runtime.ForestRuntimePredictor;
import org.trainyard.interference.runtime.ForestSettings;
import org.trainyard.interference.runtime.RunHistory;
import org.trainyard.interference.runtime.RunStatistics;
import org.trainyard.interference.runtime.RuntimeGuess;
import org.trainyard.interference.runtime.SubmissionFeatures;

/**
 * A log replayed in order of time: every job's features and predictions at its submission, from the jobs completed by
 * then.
 */
public final class ReplayedLog {
    private final RuntimeLog log;
    private final ForestRuntimePredictor forest;
    private final RunHistory history = new RunHistory();
    private final float[] features;
    private final RuntimeGuess[] guesses;
    private final double[] estimates;
    private final double[] lastOfGroup;
    private final double[] userMeans;
    private final double[] medians;

    private ReplayedLog(RuntimeLog log, ForestSettings settings, long seed) {
        this.log = log;
        forest = new ForestRuntimePredictor(settings, seed);
        features = new float[log.size() * SubmissionFeatures.COUNT];
        guesses = new RuntimeGuess[log.size()];
        estimates = new double[log.size()];
        lastOfGroup = new double[log.size()];
        userMeans = new double[log.size()];
        medians = new double[log.size()];
        // Completions come before arrivals, as in the simulator.
        PriorityQueue<Integer> running = new PriorityQueue<>(
                Comparator.<Integer>comparingLong(log::endNanos).thenComparingInt(job -> job));
        for (int job = 0; job < log.size(); job++) {
            while (!running.isEmpty()
                    && log.endNanos(running.element()) <= log.job(job).submitNanos()) {
                finish(running.remove());
            }
            submit(job);
            running.add(job);
        }
        while (!running.isEmpty()) {
            finish(running.remove());
        }
    }

    /** Replays a log; the seed decides all draws. */
    public static ReplayedLog of(RuntimeLog log, ForestSettings settings, long seed) {
        return new ReplayedLog(log, settings, seed);
    }

    private void submit(int job) {
        JobSpec spec = log.job(job);
        System.arraycopy(forest.features(spec), 0, features, job * SubmissionFeatures.COUNT, SubmissionFeatures.COUNT);
        guesses[job] = forest.guess(spec);
        estimates[job] = history.estimate(spec);
        RunStatistics all = history.all();
        RunStatistics user = history.user(spec);
        RunStatistics group = history.group(spec);
        medians[job] = all.count() == 0 ? Math.log(RunHistory.PRIOR_SECONDS) : all.medianLog();
        userMeans[job] = user.count() == 0 ? medians[job] : user.meanLog();
        lastOfGroup[job] = group.count() == 0 ? userMeans[job] : group.lastLog();
    }

    private void finish(int job) {
        forest.finished(log.job(job), log.seconds(job));
        history.add(log.job(job), log.seconds(job));
    }

    RuntimeLog log() {
        return log;
    }

    /** The predictor after the last completion of the log. */
    ForestRuntimePredictor forest() {
        return forest;
    }

    /** The features of all jobs, one after the other. */
    float[] features() {
        return features;
    }

    RuntimeGuess guess(int job) {
        return guesses[job];
    }

    /** Logarithms of seconds, as below: the smoothed estimate, which is {@code runtime: {type: History}}. */
    double estimate(int job) {
        return estimates[job];
    }

    /** The group's last run, else the user's mean, else the median. */
    double lastOfGroup(int job) {
        return lastOfGroup[job];
    }

    /** The mean of the user's logarithms, else the median. */
    double userMean(int job) {
        return userMeans[job];
    }

    /** The median of all runs. */
    double median(int job) {
        return medians[job];
    }
}
