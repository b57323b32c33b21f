package org.trainyard.experiments.evaluation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.JobSpec;

/**
 * Schedulers compared on the same episodes.
 *
 * @param runs the runs of each scheduler
 * @param scores one per scheduler, in the order of the runs; the score of the pool, if there is one, comes first
 * @param reference the heuristic with the least mean JCT, or null without a heuristic
 * @param comparisons all other schedulers against the reference, in the order of the scores; empty without a reference
 * @param duels every trained policy against every other scheduler; with a pool, the pool against every scheduler that is not trained
 * @param pool the seeds of one trained policy taken as one scheduler, or null
 */
public record Evaluation(
        List<SchedulerRuns> runs,
        List<SchedulerScore> scores,
        @Nullable String reference,
        List<PairedComparison> comparisons,
        List<PairedComparison> duels,
        @Nullable SeedPool pool) {
    public Evaluation {
        runs = List.copyOf(runs);
        scores = List.copyOf(scores);
        comparisons = List.copyOf(comparisons);
        duels = List.copyOf(duels);
    }

    /**
     * Scores and compares.
     *
     * @param seed root seed of the experiment, from which the bootstrap derives its stream
     */
    public static Evaluation of(List<SchedulerRuns> runs, long seed) {
        return of(runs, null, seed);
    }

    /** Scores and compares; the trained policies, at least two, are also pooled under this name. */
    public static Evaluation pooled(List<SchedulerRuns> runs, String name, long seed) {
        SeedPool pool =
                new SeedPool(name, runs.stream().filter(Evaluation::isLearned).toList());
        return of(runs, pool, seed);
    }

    private static Evaluation of(List<SchedulerRuns> runs, @Nullable SeedPool pool, long seed) {
        requireComparable(runs);
        List<SchedulerScore> scores = new ArrayList<>();
        if (pool != null) {
            scores.add(pool.score());
        }
        runs.forEach(run -> scores.add(SchedulerScore.of(run)));
        SchedulerRuns reference = reference(runs, scores);
        List<PairedComparison> comparisons = new ArrayList<>();
        if (reference != null) {
            if (pool != null) {
                comparisons.add(PairedComparison.of(pool, reference, seed));
            }
            for (SchedulerRuns run : runs) {
                if (!run.name().equals(reference.name())) {
                    comparisons.add(PairedComparison.of(run, reference, seed));
                }
            }
        }
        return new Evaluation(
                runs,
                scores,
                reference == null ? null : reference.name(),
                comparisons,
                pool == null ? duels(runs, seed) : duels(pool, runs, seed),
                pool);
    }

    private static boolean isLearned(SchedulerRuns runs) {
        return runs.role() == SchedulerRuns.Role.LEARNED;
    }

    private static List<PairedComparison> duels(List<SchedulerRuns> runs, long seed) {
        List<PairedComparison> duels = new ArrayList<>();
        for (SchedulerRuns learned : runs) {
            if (isLearned(learned)) {
                for (SchedulerRuns other : runs) {
                    if (!other.name().equals(learned.name())) {
                        duels.add(PairedComparison.of(learned, other, seed));
                    }
                }
            }
        }
        return duels;
    }

    private static List<PairedComparison> duels(SeedPool pool, List<SchedulerRuns> runs, long seed) {
        return runs.stream()
                .filter(run -> !isLearned(run))
                .map(run -> PairedComparison.of(pool, run, seed))
                .toList();
    }

    /** Number of episodes every scheduler ran. */
    public int episodes() {
        return runs.get(0).episodes().size();
    }

    /** Jobs of all episodes of one scheduler. */
    public int jobs() {
        return runs.get(0).episodes().stream()
                .mapToInt(episode -> episode.jobs().size())
                .sum();
    }

    /** Whether this scheduler is one seed of the pool. */
    public boolean isSeed(String name) {
        return pool != null && pool.holds(name);
    }

    /** The scores, least mean JCT first; ties keep their order. */
    public List<SchedulerScore> ranking() {
        return scores.stream()
                .sorted(Comparator.comparingDouble(score -> score.jct().mean()))
                .toList();
    }

    /** The runs of a scheduler; of a pool, those of all its seeds one after the other. */
    public SchedulerRuns runs(String name) {
        if (pool != null && pool.name().equals(name)) {
            return pool.runs();
        }
        return runs.stream()
                .filter(run -> run.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("no scheduler (%s) in this evaluation".formatted(name)));
    }

    /** The comparison of a scheduler with the reference; null for the reference itself, or without one. */
    public @Nullable PairedComparison comparison(String name) {
        for (PairedComparison comparison : comparisons) {
            if (comparison.name().equals(name)) {
                return comparison;
            }
        }
        return null;
    }

    private static @Nullable SchedulerRuns reference(List<SchedulerRuns> runs, List<SchedulerScore> scores) {
        String best = scores.stream()
                .filter(score -> score.role() == SchedulerRuns.Role.HEURISTIC)
                .min(Comparator.comparingDouble(score -> score.jct().mean()))
                .map(SchedulerScore::name)
                .orElse(null);
        return runs.stream().filter(run -> run.name().equals(best)).findFirst().orElse(null);
    }

    private static void requireComparable(List<SchedulerRuns> runs) {
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("no scheduler to evaluate");
        }
        SchedulerRuns first = runs.get(0);
        Set<String> names = new HashSet<>();
        for (SchedulerRuns run : runs) {
            if (!names.add(run.name())) {
                throw new IllegalArgumentException("scheduler (%s) appears twice".formatted(run.name()));
            }
            if (run.episodes().size() != first.episodes().size()) {
                throw new IllegalArgumentException("scheduler %s ran (%d) episodes, %s ran (%d)"
                        .formatted(
                                run.name(),
                                run.episodes().size(),
                                first.name(),
                                first.episodes().size()));
            }
            for (int i = 0; i < run.episodes().size(); i++) {
                requireSameJobs(i, run, first);
            }
        }
    }

    private static void requireSameJobs(int episode, SchedulerRuns run, SchedulerRuns first) {
        RunResult ours = run.episodes().get(episode);
        RunResult theirs = first.episodes().get(episode);
        boolean same = ours.jobs().size() == theirs.jobs().size() && ours.gpus() == theirs.gpus();
        for (int i = 0; same && i < ours.jobs().size(); i++) {
            same = sameJob(ours.jobs().get(i), theirs.jobs().get(i));
        }
        if (!same) {
            throw new IllegalArgumentException(
                    "episode (%d) of scheduler %s is not that of %s".formatted(episode, run.name(), first.name()));
        }
    }

    private static boolean sameJob(JobOutcome one, JobOutcome other) {
        JobSpec a = one.job();
        JobSpec b = other.job();
        return a.name().equals(b.name()) && a.submitNanos() == b.submitNanos() && a.gpus() == b.gpus();
    }
}
