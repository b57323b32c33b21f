package org.trainyard.experiments.advice.search;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.SlurmScheduler;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.advice.AdviceQuestion;
import org.trainyard.experiments.advice.LogOutcome;
import org.trainyard.experiments.advice.LogReplays;
import org.trainyard.experiments.advice.WaitBound;
import org.trainyard.experiments.advice.WhatIf;
import org.trainyard.experiments.fleet.ThreadWorkerPool;

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
        boolean isKept = bound == null || first == null || bound.isKept(first, outcome, bound.places(jobs));
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
        return new LogReplays.Candidate(
                name, false, false, question.restartSeconds(), run -> new SlurmScheduler(used, question.topology()));
    }
}
