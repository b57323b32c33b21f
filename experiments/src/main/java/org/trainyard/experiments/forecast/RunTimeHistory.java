package org.trainyard.experiments.forecast;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.trace.TraceJob;

/**
 * Run times of jobs that have ended, as a distribution for jobs that have not: that of the most alike class with
 * enough runs longer than the job has run already (conditional residual life). Where both have time limits, runs
 * count as parts of their limits.
 */
final class RunTimeHistory implements RuntimePredictor {
    /** Runs that a class must have. */
    private static final int ENOUGH = 10;

    /** The last of the ended jobs are kept. */
    private static final int MOST = 5000;

    private static final double NEVER_SEEN_SECONDS = 3600;
    private static final double LONGEST = 20;
    /** A manager looks for jobs beyond their limits now and then. */
    private static final double LATE_SECONDS = 30;

    private record Run(double seconds, double limitSeconds) {
        double asOf(double otherLimit) {
            return limitSeconds == 0 || otherLimit == 0 ? seconds : seconds / limitSeconds * otherLimit;
        }
    }

    private final Map<String, List<Run>> classes = new HashMap<>();

    /** @param ended in order of submission */
    RunTimeHistory(List<TraceJob> ended) {
        for (TraceJob job : ended.subList(Math.max(0, ended.size() - MOST), ended.size())) {
            Run run = new Run(job.durationNanos() / 1e9, job.terms().limitNanos() / 1e9);
            for (String key : keys(job.group(), job.user(), job.gpus(), run.limitSeconds)) {
                classes.computeIfAbsent(key, k -> new ArrayList<>()).add(run);
            }
        }
    }

    /** The classes of a job, the most alike first. */
    private static List<String> keys(@Nullable String group, @Nullable String user, int gpus, double limit) {
        List<String> keys = new ArrayList<>(7);
        if (group != null) {
            keys.add("group %s %d".formatted(group, gpus));
        }
        if (user != null) {
            keys.add("user %s %d %s".formatted(user, gpus, limit));
            keys.add("user %s %s".formatted(user, limit));
        }
        if (limit > 0) {
            keys.add("limit %s %d".formatted(limit, gpus));
            keys.add("limit %s".formatted(limit));
        }
        keys.add("gpus %d".formatted(gpus));
        keys.add("");
        return keys;
    }

    /** Draws the run time of a job that has run so long already, seconds; longer than that. */
    double drawSeconds(TraceJob job, double elapsedSeconds, RandomGenerator random) {
        double limit = job.terms().limitNanos() / 1e9;
        double most = limit == 0 ? Double.MAX_VALUE : Math.max(limit, elapsedSeconds) + LATE_SECONDS;
        double drawn = Double.NaN;
        for (String key : keys(job.group(), job.user(), job.gpus(), limit)) {
            double[] longer = longer(key, limit, elapsedSeconds);
            if (longer.length >= (key.isEmpty() ? 1 : ENOUGH)) {
                drawn = longer[random.nextInt(longer.length)];
                break;
            }
        }
        if (Double.isNaN(drawn)) {
            double base = Math.max(elapsedSeconds, classes.isEmpty() ? NEVER_SEEN_SECONDS : 1);
            drawn = base * Math.min(LONGEST, 1 / (1 - random.nextDouble()));
        }
        return Math.max(elapsedSeconds + 1e-3, Math.min(drawn, most));
    }

    private double[] longer(String key, double limit, double elapsed) {
        return classes.getOrDefault(key, List.of()).stream()
                .mapToDouble(run -> run.asOf(limit))
                .filter(seconds -> seconds > elapsed)
                .toArray();
    }

    @Override
    public double predictSeconds(JobSpec job) {
        double limit = job.terms().limitNanos() / 1e9;
        return meanSeconds(keys(job.group(), job.user(), job.gpus(), limit), limit);
    }

    /** The mean run of the most alike class. */
    double meanSeconds(TraceJob job) {
        double limit = job.terms().limitNanos() / 1e9;
        return meanSeconds(keys(job.group(), job.user(), job.gpus(), limit), limit);
    }

    private double meanSeconds(List<String> keys, double limit) {
        for (String key : keys) {
            double[] runs = longer(key, limit, 0);
            if (runs.length >= (key.isEmpty() ? 1 : ENOUGH)) {
                double sum = 0;
                for (double seconds : runs) {
                    sum += seconds;
                }
                return sum / runs.length;
            }
        }
        return NEVER_SEEN_SECONDS;
    }

    @Override
    public void finished(JobSpec job, double idealSeconds) {
        // What ends in a draw was drawn from this history.
    }
}
