package org.trainyard.experiments.evaluation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;

/**
 * Schedulers that did the same in all episodes of an evaluation.
 *
 * @param schedulers at least two
 * @param decisions whether all their decisions were the same, by the hashes of the event logs; otherwise the completion
 *     times of all jobs were
 */
public record Coincidence(List<String> schedulers, boolean decisions) {
    public Coincidence {
        schedulers = List.copyOf(schedulers);
    }

    /**
     * All coincidences, in the order of the runs: first equal decisions, then completion times that are equal in spite
     * of other decisions.
     */
    static List<Coincidence> of(List<SchedulerRuns> runs) {
        if (runs.size() < 2) {
            return List.of();
        }
        List<Coincidence> all = new ArrayList<>();
        for (List<SchedulerRuns> group : groups(runs, Coincidence::decisions)) {
            if (group.size() > 1) {
                all.add(new Coincidence(names(group), true));
            }
        }
        for (List<SchedulerRuns> group : groups(runs, Coincidence::completions)) {
            if (groups(group, Coincidence::decisions).size() > 1) {
                all.add(new Coincidence(names(group), false));
            }
        }
        return List.copyOf(all);
    }

    public String sentence() {
        return names()
                + (decisions
                        ? " made the same decisions in all episodes."
                        : " decided otherwise but completed every job at the same time in all episodes.");
    }

    /** The schedulers, as a list in a sentence. */
    public String names() {
        int last = schedulers.size() - 1;
        return String.join(", ", schedulers.subList(0, last)) + " and " + schedulers.get(last);
    }

    private static Collection<List<SchedulerRuns>> groups(
            List<SchedulerRuns> runs, Function<SchedulerRuns, Object> by) {
        Map<Object, List<SchedulerRuns>> groups = new LinkedHashMap<>();
        for (SchedulerRuns run : runs) {
            groups.computeIfAbsent(by.apply(run), key -> new ArrayList<>()).add(run);
        }
        return groups.values();
    }

    private static Object decisions(SchedulerRuns runs) {
        return runs.episodes().stream().map(RunResult::eventLogSha256).toList();
    }

    private static Object completions(SchedulerRuns runs) {
        return runs.episodes().stream()
                .flatMap(episode -> episode.jobs().stream())
                .map(JobOutcome::jctNanos)
                .toList();
    }

    private static List<String> names(List<SchedulerRuns> group) {
        return group.stream().map(SchedulerRuns::name).toList();
    }
}
