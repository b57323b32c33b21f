package org.trainyard.interference.runtimes;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.trainyard.interference.runtime.RunHistory;
import org.trainyard.interference.runtime.RunStatistics;

/**
 * A log replayed in order of time: every job's features and the history-based predictions at its submission.
 */
public final class ReplayedLog {
    private final RuntimeLog log;
    private final RunHistory history = new RunHistory();
    private final float[][] rows;
    private final double[] estimates;
    private final double[] lastOfGroup;
    private final double[] userMeans;
    private final double[] medians;

    private ReplayedLog(RuntimeLog log) {
        this.log = log;
        rows = new float[log.size()][];
        estimates = new double[log.size()];
        lastOfGroup = new double[log.size()];
        userMeans = new double[log.size()];
        medians = new double[log.size()];
        // Completions come before arrivals, as in the simulator.
        PriorityQueue<Integer> running = new PriorityQueue<>(byEnd());
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

    static ReplayedLog of(RuntimeLog log) {
        return new ReplayedLog(log);
    }

    private Comparator<Integer> byEnd() {
        return Comparator.<Integer>comparingLong(log::endNanos).thenComparingInt(job -> job);
    }

    private void submit(int job) {
        rows[job] = SubmissionFeatures.row(log.job(job), history);
        estimates[job] = history.estimate(log.job(job));
        RunStatistics all = history.all();
        RunStatistics user = history.user(log.job(job));
        RunStatistics group = history.group(log.job(job));
        medians[job] = all.count() == 0 ? Math.log(RunHistory.PRIOR_SECONDS) : all.medianLog();
        userMeans[job] = user.count() == 0 ? medians[job] : user.meanLog();
        lastOfGroup[job] = group.count() == 0 ? userMeans[job] : group.lastLog();
    }

    private void finish(int job) {
        history.add(log.job(job), log.seconds(job));
    }

    /** The history after the last completion of the log. */
    RunHistory history() {
        return history;
    }

    /** The training rows at that time: the jobs completed by then, in order of completion. */
    RuntimeRows finishedBy(long nanos) {
        RuntimeRows finished = new RuntimeRows();
        IntStream.range(0, log.size())
                .filter(job -> log.endNanos(job) <= nanos)
                .boxed()
                .sorted(byEnd())
                .forEach(job -> finished.add(rows[job], Math.log(log.seconds(job))));
        return finished;
    }

    /** The features of consecutive jobs, one after the other. */
    float[] features(int from, int to) {
        float[] features = new float[(to - from) * SubmissionFeatures.COUNT];
        for (int job = from; job < to; job++) {
            System.arraycopy(rows[job], 0, features, (job - from) * SubmissionFeatures.COUNT, SubmissionFeatures.COUNT);
        }
        return features;
    }

    float[] row(int job) {
        return rows[job];
    }

    /** Logarithms of seconds, as below: the smoothed estimate. */
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
