package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.timeline.RunRecorder;
import org.trainyard.experiments.timeline.RunTimeline;

/**
 * A log over time: as it was, and under the nearest scheduler, the best that the manager runs as configured, the best
 * of all and the learned policy.
 *
 * @param runs in this order; the same scheduler only once
 * @param waits by the GPUs asked
 * @param notes what is not drawn, a sentence each
 */
public record LogTimelines(List<RunTimeline> runs, List<SizeWaits> waits, List<String> notes) {
    public LogTimelines {
        runs = List.copyOf(runs);
        waits = List.copyOf(waits);
        notes = List.copyOf(notes);
    }

    /** Replays the schedulers of an answer to draw them. Cost: four simulations at most. */
    public static LogTimelines of(AdviceQuestion question, Advice advice) {
        try (ThreadWorkerPool workers = new ThreadWorkerPool()) {
            LogReplays replays = question.replays(workers);
            List<TraceJob> jobs = advice.account().jobs();
            Reproduction reproduction = advice.reproduction();
            List<LogReplays.Candidate> candidates = candidates(question, advice, replays, jobs);
            RunRecorder recorder = new RunRecorder(question.topology(), candidates.size(), 1);
            double factor = reproduction == null ? 1 : reproduction.durationFactor();
            Set<String> ended = replays.record(candidates, jobs, factor, recorder).stream()
                    .map(LogOutcome::name)
                    .collect(Collectors.toSet());
            List<String> notes = new ArrayList<>();
            List<RunTimeline> runs = new ArrayList<>();
            int[] dated = reproduction == null ? new int[0] : Advice.dated(jobs);
            if (reproduction != null) {
                List<TraceJob> told = Arrays.stream(dated).mapToObj(jobs::get).toList();
                runs.add(LoggedTimeline.of(LogOutcome.PAST, question.topology(), told));
                notePast(told.size(), jobs.size(), notes);
            }
            List<String> names =
                    candidates.stream().map(LogReplays.Candidate::name).toList();
            runs.addAll(
                    recorder.timelines(names.stream().filter(ended::contains).toList()));
            names.stream()
                    .filter(name -> !ended.contains(name))
                    .forEach(name -> notes.add("%s is not drawn: its replay exceeds --limit.".formatted(name)));
            int[] compared =
                    reproduction == null ? IntStream.range(0, jobs.size()).toArray() : dated;
            return new LogTimelines(runs, SizeWaits.of(jobs, compared, outcomes(advice, names, compared)), notes);
        }
    }

    /** The nearest, the best as configured, the best and the learned one, each once. */
    private static List<LogReplays.Candidate> candidates(
            AdviceQuestion question, Advice advice, LogReplays replays, List<TraceJob> jobs) {
        Set<String> names = new LinkedHashSet<>();
        Reproduction reproduction = advice.reproduction();
        if (reproduction != null) {
            names.add(reproduction.nearest().name());
        }
        RankedScheduler configured = advice.bestConfigurable();
        if (configured != null) {
            names.add(configured.name());
        }
        names.add(advice.best().name());
        if (ranked(advice, Advice.LEARNED) != null) {
            names.add(Advice.LEARNED);
        }
        List<LogReplays.Candidate> known = new ArrayList<>(replays.registered(jobs, true));
        known.addAll(replays.settings());
        if (question.learned() != null) {
            known.add(replays.learned(Advice.LEARNED, question.learned()));
        }
        return names.stream()
                .flatMap(name -> known.stream().filter(one -> one.name().equals(name)))
                .toList();
    }

    /** The outcomes of these schedulers on the jobs compared, after the past. */
    private static List<LogOutcome> outcomes(Advice advice, List<String> names, int[] compared) {
        List<LogOutcome> outcomes = new ArrayList<>();
        Reproduction reproduction = advice.reproduction();
        if (reproduction != null) {
            outcomes.add(reproduction.past());
        }
        for (String name : names) {
            LogOutcome ranked = ranked(advice, name);
            if (ranked != null) {
                outcomes.add(ranked.over(compared));
            } else if (reproduction != null) {
                outcomes.add(reproduction.nearest());
            }
        }
        return outcomes;
    }

    private static @Nullable LogOutcome ranked(Advice advice, String name) {
        return advice.ranking().stream()
                .map(RankedScheduler::log)
                .filter(log -> log.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static void notePast(int told, int jobs, List<String> notes) {
        notes.add(
                "The past is drawn from its starts and ends, without figures by rack; simulate --scheduler past has these.");
        if (told < jobs) {
            notes.add(Counted.say(
                    "The past is drawn, and waits by size are compared, on the %,d of %,d jobs that have a start in the log.",
                    told, jobs));
        }
    }
}
