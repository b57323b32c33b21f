package org.trainyard.experiments.evaluation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;
import org.trainyard.env.simulation.RunResult;

/**
 * Trained policies that differ only in the seed of their training, taken as one scheduler: it measures a way to train
 * and not one run of it.
 *
 * @param seeds one per seed, at least two
 * @param shipped the name of the seed that ships with the project, or null when none of them does
 */
public record SeedPool(
        String name, List<SchedulerRuns> seeds, @Nullable String shipped) {
    public SeedPool {
        seeds = List.copyOf(seeds);
        Invalid.when(seeds.size() < 2, "a pool has at least 2 seeds, not (%d)", seeds.size());
        Invalid.when(seeds.stream().anyMatch(seed -> seed.name().equals(name)), "scheduler (%s) appears twice", name);
        if (shipped != null && seeds.stream().noneMatch(seed -> seed.name().equals(shipped))) {
            throw new IllegalArgumentException("the shipped policy (%s) is none of the seeds".formatted(shipped));
        }
    }

    /** The name under which so many seeds are pooled: it says that their metrics are means. */
    public static String meanOf(String policy, int seeds) {
        return "%s (mean of %d)".formatted(policy, seeds);
    }

    /** Whether a scheduler of this name is one of the seeds. */
    public boolean holds(String scheduler) {
        return seeds.stream().anyMatch(seed -> seed.name().equals(scheduler));
    }

    /** The runs of all seeds, one seed after the other. */
    SchedulerRuns runs() {
        List<RunResult> all =
                seeds.stream().flatMap(seed -> seed.episodes().stream()).toList();
        return new SchedulerRuns(name, SchedulerRuns.Role.LEARNED, all);
    }

    /** Metrics over the runs of all seeds; counts are means over seeds, rounded. */
    SchedulerScore score() {
        SchedulerScore all = SchedulerScore.of(runs());
        int n = seeds.size();
        return new SchedulerScore(
                all.name(),
                all.role(),
                all.jobs() / n,
                all.figures(),
                all.makespan(),
                all.slowdownMean(),
                all.gpuUtilisation(),
                Math.round((double) all.preemptions() / n),
                Math.round((double) all.decisions() / n),
                all.eventLogSha256());
    }
}
