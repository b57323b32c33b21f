package org.trainyard.experiments.advice.search;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.advice.AdviceQuestion;
import org.trainyard.experiments.advice.LogOutcome;
import org.trainyard.experiments.advice.LogReplays;
import org.trainyard.experiments.advice.WaitBound;
import org.trainyard.experiments.advice.WhatIf;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.simulation.LoggedCluster;

/** Settings of Slurm that were tried on a log, and what they were worth. */
final class SlurmTrials {
    private final AdviceQuestion question;
    private final SlurmFiles files;
    private final ThreadWorkerPool workers;
    private final List<TraceJob> jobs;
    final SlurmSpace space;
    private final Map<List<Integer>, ParzenSearch.Trial> seen = new HashMap<>();
    final List<ParzenSearch.Trial> trials = new ArrayList<>();
    private @Nullable LogOutcome today;

    SlurmTrials(AdviceQuestion question, SlurmFiles files, ThreadWorkerPool workers, List<TraceJob> jobs) {
        this.question = question;
        this.files = files;
        this.workers = workers;
        this.jobs = jobs;
        space = new SlurmSpace(files, jobs);
    }

    /** Replays points; what does not end in time, or breaks the bound, is worth nothing. */
    void add(List<List<Integer>> points) {
        List<LogReplays.Candidate> candidates = points.stream()
                .map(point -> candidate(question, files, space.change(point), "training"))
                .toList();
        Map<String, LogOutcome> made = new HashMap<>();
        question.replays(workers).run("tune Slurm", candidates, jobs, 1).forEach(one -> made.put(one.name(), one));
        for (int i = 0; i < points.size(); i++) {
            LogOutcome outcome = made.get(candidates.get(i).name());
            today = today == null ? outcome : today;
            ParzenSearch.Trial trial = new ParzenSearch.Trial(points.get(i), value(outcome));
            seen.put(trial.point(), trial);
            trials.add(trial);
        }
    }

    private double value(@Nullable LogOutcome outcome) {
        if (outcome == null) {
            return Double.POSITIVE_INFINITY;
        }
        WaitBound bound = question.bound();
        LogOutcome first = today;
        boolean isKept = bound == null
                || first == null
                || bound.isKept(first, outcome, bound.places(LoggedCluster.counted(jobs)));
        return isKept ? outcome.value(question.metric()) : Double.POSITIVE_INFINITY;
    }

    ParzenSearch.Trial best() {
        return Collections.min(trials, (a, b) -> Double.compare(a.value(), b.value()));
    }

    /** The best point with every setting as it is whose change gains nothing. */
    ParzenSearch.Trial pruned(int most) {
        ParzenSearch.Trial best = best();
        for (int i = 0; i < best.point().size(); i++) {
            if (best.point().get(i) > 0) {
                List<Integer> without = new ArrayList<>(best.point());
                without.set(i, 0);
                if (!seen.containsKey(without) && trials.size() < most) {
                    add(List.of(without));
                }
                ParzenSearch.Trial fewer = seen.get(without);
                best = fewer != null && fewer.value() <= best.value() * (1 + SlurmSearch.WORTH) ? fewer : best;
            }
        }
        return best;
    }

    static LogReplays.Candidate candidate(AdviceQuestion question, SlurmFiles files, WhatIf change, String weeks) {
        SlurmFiles used = change.files(files);
        String name = "%s: %s".formatted(weeks, change.text().isEmpty() ? "as configured" : change.text());
        return LogReplays.Candidate.slurm(
                name, used, question.topology(), question.limits().restartSeconds());
    }

    /**
     * The settings of Slurm that a search may change, each with its choices; choice 0 leaves a setting as it is.
     * Settings that cannot matter are not there: weights of what all jobs have in common, or of what the cluster's
     * files do not say.
     */
    static final class SlurmSpace {
        private static final String TYPE = "PriorityType";
        private static final String BACKFILL = "SchedulerType";
        private static final List<String> WEIGHTS =
                List.of("0", "100", "300", "1000", "3000", "10000", "30000", "100000");

        /** A key of {@code SchedulerParameters}, or else a line of its own. */
        private record Setting(String key, boolean isParameter, List<String> values) {}

        private final List<Setting> settings = new ArrayList<>();
        private final boolean isMultifactor;

        SlurmSpace(SlurmFiles files, List<TraceJob> jobs) {
            isMultifactor = has(files, TYPE, "priority/multifactor");
            if (!has(files, BACKFILL, "sched/backfill")) {
                line(BACKFILL, List.of("sched/backfill"));
            }
            parameter("bf_window", "60", "240", "1440", "2880", "10080", "43200");
            parameter("bf_resolution", "60", "180", "600");
            parameter("bf_max_job_test", "50", "100", "500", "1000", "5000");
            parameter("bf_job_part_count_reserve", "0", "1", "2", "5", "20", "100");
            if (differ(jobs, TraceJob::user)) {
                parameter("bf_max_job_user", "0", "1", "5", "20", "100");
            }
            parameter("default_queue_depth", "10", "50", "100", "500", "1000");
            line("PriorityWeightAge", WEIGHTS);
            line("PriorityWeightJobSize", WEIGHTS);
            line("PriorityFavorSmall", List.of("NO", "YES"));
            line(
                    "PriorityMaxAge",
                    List.of("00:10:00", "01:00:00", "06:00:00", "1-00:00:00", "7-00:00:00", "30-00:00:00"));
            if (files.associations() != null && differ(jobs, job -> job.terms().account())) {
                line("PriorityWeightFairshare", WEIGHTS);
            }
            if (files.qos() != null && differ(jobs, job -> job.terms().qos())) {
                line("PriorityWeightQOS", WEIGHTS);
            }
            if (differ(jobs, job -> job.terms().partition())) {
                line("PriorityWeightPartition", WEIGHTS);
            }
        }

        private static boolean has(SlurmFiles files, String key, String value) {
            String wanted = (key + "=" + value).toLowerCase(Locale.ROOT);
            return files.conf().stream()
                    .anyMatch(line ->
                            line.replace(" ", "").toLowerCase(Locale.ROOT).equals(wanted));
        }

        private static boolean differ(List<TraceJob> jobs, Function<TraceJob, @Nullable String> of) {
            return jobs.stream().map(of).filter(Objects::nonNull).distinct().count() > 1;
        }

        private void parameter(String key, String... values) {
            settings.add(new Setting(key, true, List.of(values)));
        }

        private void line(String key, List<String> values) {
            settings.add(new Setting(key, false, values));
        }

        /** Choices of each setting. */
        int[] choices() {
            return settings.stream().mapToInt(one -> one.values.size() + 1).toArray();
        }

        /** The change of a point; weights bring the plugin that reads them. */
        WhatIf change(List<Integer> point) {
            Map<String, String> parameters = new LinkedHashMap<>();
            Map<String, String> lines = new LinkedHashMap<>();
            for (int i = 0; i < point.size(); i++) {
                if (point.get(i) > 0) {
                    Setting setting = settings.get(i);
                    (setting.isParameter ? parameters : lines).put(setting.key, setting.values.get(point.get(i) - 1));
                }
            }
            if (!isMultifactor && lines.keySet().stream().anyMatch(key -> key.startsWith("Priority"))) {
                lines.put(TYPE, "priority/multifactor");
            }
            List<String> said = new ArrayList<>();
            parameters.forEach((key, value) -> said.add(key + "=" + value));
            lines.forEach((key, value) -> said.add(key + "=" + value));
            return WhatIf.ofSlurm(String.join(", ", said), parameters, lines);
        }
    }
}
