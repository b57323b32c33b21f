package org.trainyard.experiments.forecast;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TraceJob;

/**
 * Run times of jobs that have ended, as a distribution for jobs that have not: that of the most alike class with enough
 * runs longer than the job has run already (conditional residual life). Where both have time limits, runs count as
 * parts of their limits.
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

    /** Features of a job by which its run time is predicted. */
    private record Likeness(
            @Nullable String group, @Nullable String user, int gpus, double limit) {
        static Likeness of(TraceJob job) {
            return new Likeness(job.group(), job.user(), job.gpus(), job.terms().limitNanos() / 1e9);
        }

        /** The classes of such a job, the most alike first. */
        List<String> classes() {
            List<String> keys = new ArrayList<>(7);
            if (group != null) {
                keys.add("group " + group + " " + gpus);
            }
            if (user != null) {
                keys.add("user " + user + " " + gpus + " " + limit);
                keys.add("user " + user + " " + limit);
            }
            if (limit > 0) {
                keys.add("limit " + limit + " " + gpus);
                keys.add("limit " + limit);
            }
            keys.add("gpus " + gpus);
            keys.add("");
            return keys;
        }
    }

    /** Jobs of one likeness that have run so long. */
    private record Question(Likeness job, double elapsedSeconds) {}

    private final Map<String, List<Run>> classes = new HashMap<>();
    /** All futures of a moment ask the same. */
    private final Map<Question, double[]> answers = new ConcurrentHashMap<>();

    private final Map<Likeness, Double> means = new ConcurrentHashMap<>();

    /** @param ended in order of submission */
    RunTimeHistory(List<TraceJob> ended) {
        for (TraceJob job : ended.subList(Math.max(0, ended.size() - MOST), ended.size())) {
            Likeness likeness = Likeness.of(job);
            Run run = new Run(job.durationNanos() / 1e9, likeness.limit);
            for (String key : likeness.classes()) {
                classes.computeIfAbsent(key, k -> new ArrayList<>()).add(run);
            }
        }
    }

    /** Draws the run time of a job that has run so long already, seconds; longer than that. */
    double drawSeconds(TraceJob job, double elapsedSeconds, RandomGenerator random) {
        Likeness likeness = Likeness.of(job);
        double limit = likeness.limit;
        double most = limit == 0 ? Double.MAX_VALUE : Math.max(limit, elapsedSeconds) + LATE_SECONDS;
        double[] longer = answers.computeIfAbsent(new Question(likeness, elapsedSeconds), this::longer);
        double drawn;
        if (longer.length > 0) {
            drawn = longer[random.nextInt(longer.length)];
        } else {
            double base = Math.max(elapsedSeconds, classes.isEmpty() ? NEVER_SEEN_SECONDS : 1);
            drawn = base * Math.min(LONGEST, 1 / (1 - random.nextDouble()));
        }
        return Math.max(elapsedSeconds + 1e-3, Math.min(drawn, most));
    }

    /** Runs of the most alike class with enough of them; none when there is no such class. */
    private double[] longer(Question question) {
        for (String key : question.job.classes()) {
            double[] longer = classes.getOrDefault(key, List.of()).stream()
                    .mapToDouble(run -> run.asOf(question.job.limit))
                    .filter(seconds -> seconds > question.elapsedSeconds)
                    .toArray();
            if (longer.length >= (key.isEmpty() ? 1 : ENOUGH)) {
                return longer;
            }
        }
        return new double[0];
    }

    @Override
    public double predictSeconds(JobSpec job) {
        return means.computeIfAbsent(
                new Likeness(job.group(), job.user(), job.gpus(), job.terms().limitNanos() / 1e9), this::mean);
    }

    /** The mean run of the most alike class. */
    double meanSeconds(TraceJob job) {
        return means.computeIfAbsent(Likeness.of(job), this::mean);
    }

    private double mean(Likeness job) {
        double[] runs = longer(new Question(job, 0));
        double sum = 0;
        for (double seconds : runs) {
            sum += seconds;
        }
        return runs.length == 0 ? NEVER_SEEN_SECONDS : sum / runs.length;
    }

    @Override
    public void finished(JobSpec job, double idealSeconds) {
        // The run times of jobs that end in a draw were drawn from this history.
    }
}
