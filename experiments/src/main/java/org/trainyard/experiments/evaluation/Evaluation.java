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
 * @param runs what was run, in the order given
 * @param scores one per scheduler, in the same order
 * @param reference the heuristic of least mean JCT, or null when no heuristic took part
 * @param comparisons every other scheduler against the reference, in the same order; empty without a reference
 * @param duels every trained policy against every other scheduler, in the same order; empty without a trained policy
 */
public record Evaluation(
        List<SchedulerRuns> runs,
        List<SchedulerScore> scores,
        @Nullable String reference,
        List<PairedComparison> comparisons,
        List<PairedComparison> duels) {
    public Evaluation {
        runs = List.copyOf(runs);
        scores = List.copyOf(scores);
        comparisons = List.copyOf(comparisons);
        duels = List.copyOf(duels);
    }

    /**
     * Scores and compares.
     *
     * @param seed root seed of the experiment; the bootstrap has a stream of its own under it
     */
    public static Evaluation of(List<SchedulerRuns> runs, long seed) {
        requireComparable(runs);
        List<SchedulerScore> scores = runs.stream().map(SchedulerScore::of).toList();
        SchedulerRuns reference = reference(runs, scores);
        List<PairedComparison> comparisons = new ArrayList<>();
        if (reference != null) {
            for (SchedulerRuns run : runs) {
                if (!run.name().equals(reference.name())) {
                    comparisons.add(PairedComparison.of(run, reference, seed));
                }
            }
        }
        return new Evaluation(
                runs, scores, reference == null ? null : reference.name(), comparisons, duels(runs, seed));
    }

    private static List<PairedComparison> duels(List<SchedulerRuns> runs, long seed) {
        List<PairedComparison> duels = new ArrayList<>();
        for (SchedulerRuns learned : runs) {
            if (learned.role() == SchedulerRuns.Role.LEARNED) {
                for (SchedulerRuns other : runs) {
                    if (!other.name().equals(learned.name())) {
                        duels.add(PairedComparison.of(learned, other, seed));
                    }
                }
            }
        }
        return duels;
    }

    /** Number of episodes every scheduler ran. */
    public int episodes() {
        return runs.get(0).episodes().size();
    }

    /** The scores, least mean JCT first; ties keep their order. */
    public List<SchedulerScore> ranking() {
        return scores.stream()
                .sorted(Comparator.comparingDouble(score -> score.jct().mean()))
                .toList();
    }

    public SchedulerRuns runs(String name) {
        return runs.stream()
                .filter(run -> run.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("no scheduler (%s) in this evaluation".formatted(name)));
    }

    /** How the scheduler compares with the reference; null for the reference itself, or when there is none. */
    public @Nullable PairedComparison comparison(String name) {
        for (PairedComparison comparison : comparisons) {
            if (comparison.name().equals(name)) {
                return comparison;
            }
        }
        return null;
    }

    private static @Nullable SchedulerRuns reference(List<SchedulerRuns> runs, List<SchedulerScore> scores) {
        int best = -1;
        for (int i = 0; i < runs.size(); i++) {
            if (runs.get(i).role() == SchedulerRuns.Role.HEURISTIC
                    && (best < 0
                            || scores.get(i).jct().mean()
                                    < scores.get(best).jct().mean())) {
                best = i;
            }
        }
        return best < 0 ? null : runs.get(best);
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
