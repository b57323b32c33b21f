package org.trainyard.experiments.forecast;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.trainyard.env.workload.TraceJob;

/** The simple estimators of a job's wait that a forecast has to beat. */
enum WaitEstimator {
    MEAN_OF_SIMILAR("mean wait of similar past jobs"),
    MEDIAN_OF_SIMILAR("median wait of similar past jobs"),
    /** R. Ibrahim, W. Whitt: Real-time delay estimation based on delay history, 2009. */
    LAST_STARTED("wait of the job that started last"),
    /** The estimator by the job at the head of the line, of the same paper. */
    HEAD_OF_LINE("wait so far of the job that waits longest"),
    /** A. Downey: Predicting queue times on space-sharing parallel computers, 1997, in its simplest form. */
    WORK_AHEAD("GPU-hours ahead by all GPUs");

    static final int ENOUGH = 10;

    private final String words;

    WaitEstimator(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    /** The wait that it estimates for a job submitted at the moment, seconds. */
    double seconds(ClusterMoment moment, TraceJob job, int gpus) {
        return switch (this) {
            case MEAN_OF_SIMILAR ->
                Arrays.stream(similar(moment, job)).average().orElse(0);
            case MEDIAN_OF_SIMILAR -> median(similar(moment, job));
            case LAST_STARTED ->
                started(moment)
                        .max(Comparator.comparingLong(
                                one -> Objects.requireNonNull(one.past()).startNanos()))
                        .map(WaitEstimator::wait)
                        .orElse(0.0);
            case HEAD_OF_LINE ->
                moment.waiting().stream()
                        .mapToDouble(one -> (moment.nowNanos() - one.submitNanos()) / 1e9)
                        .max()
                        .orElse(0);
            case WORK_AHEAD -> {
                RunTimeHistory history = new RunTimeHistory(moment.ended());
                double work = moment.waiting().stream()
                        .mapToDouble(one -> one.gpus() * history.meanSeconds(one))
                        .sum();
                yield moment.waiting().isEmpty() && moment.gpusHeld() + job.gpus() <= gpus ? 0 : work / gpus;
            }
        };
    }

    /** Remaining waits of similar jobs that waited at least as long as this one at the moment, seconds, ascending. */
    static double[] rests(ClusterMoment moment, TraceJob job) {
        double waited = Math.max(0, (moment.nowNanos() - job.submitNanos()) / 1e9);
        return Arrays.stream(similar(moment, job))
                .filter(wait -> wait >= waited)
                .map(wait -> wait - waited)
                .sorted()
                .toArray();
    }

    private static double[] similar(ClusterMoment moment, TraceJob job) {
        List<Predicate<TraceJob>> classes = List.of(
                one -> one.gpus() == job.gpus()
                        && Objects.equals(one.terms().qos(), job.terms().qos())
                        && Objects.equals(one.terms().account(), job.terms().account())
                        && Objects.equals(one.terms().partition(), job.terms().partition()),
                one -> one.gpus() == job.gpus(),
                one -> true);
        double[] waits = new double[0];
        for (Predicate<TraceJob> likeness : classes) {
            waits = started(moment)
                    .filter(likeness)
                    .mapToDouble(WaitEstimator::wait)
                    .toArray();
            if (waits.length >= ENOUGH) {
                break;
            }
        }
        return waits;
    }

    private static Stream<TraceJob> started(ClusterMoment moment) {
        return moment.submitted().stream()
                .filter(one -> one.past() != null && one.past().startNanos() <= moment.nowNanos());
    }

    private static double wait(TraceJob job) {
        return (Objects.requireNonNull(job.past()).startNanos() - job.submitNanos()) / 1e9;
    }

    static double median(double[] values) {
        if (values.length == 0) {
            return 0;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
