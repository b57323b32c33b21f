package org.trainyard.experiments.evaluation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.experiments.metrics.RankingMetric;

/**
 * Schedulers compared on the same episodes.
 *
 * @param runs the runs of each scheduler
 * @param scores one per scheduler, in the order of the runs; the score of the pool, if there is one, comes first
 * @param reference the heuristic with the least mean JCT of those that reject no job, or of all when all do; null
 *     without a heuristic
 * @param comparisons all other schedulers against the reference, in the order of the scores; empty without a reference.
 *     Those that are duels are corrected as such, the others together
 * @param duels every trained policy against every other scheduler; with a pool, the pool and then the seed that ships,
 *     against every scheduler that is not trained
 * @param gains what training gained, for each trained policy whose untrained start ran too; with a pool, for the pool
 *     and the seed that ships
 * @param pool the seeds of one trained policy taken as one scheduler, or null
 * @param sample what the comparisons conclude from
 */
public record Evaluation(
        List<SchedulerRuns> runs,
        List<SchedulerScore> scores,
        @Nullable String reference,
        List<PairedComparison> comparisons,
        List<PairedComparison> duels,
        List<TrainingGain> gains,
        @Nullable SeedPool pool,
        EpisodeSample sample) {
    public Evaluation {
        gains = List.copyOf(gains);
        runs = List.copyOf(runs);
        scores = List.copyOf(scores);
        comparisons = List.copyOf(comparisons);
        duels = List.copyOf(duels);
    }

    /**
     * Scores and compares.
     *
     * @param seed root seed of the experiment, whose episodes share no jobs
     */
    public static Evaluation of(List<SchedulerRuns> runs, long seed) {
        return of(runs, EpisodeSample.independent(seed));
    }

    /** Scores and compares. */
    public static Evaluation of(List<SchedulerRuns> runs, EpisodeSample sample) {
        return of(runs, Map.of(), sample);
    }

    /**
     * Scores and compares.
     *
     * @param untrained by the name of a trained policy, the name under which it ran before its first update
     */
    public static Evaluation of(List<SchedulerRuns> runs, Map<String, String> untrained, EpisodeSample sample) {
        return of(runs, untrained, null, sample);
    }

    /**
     * Scores and compares; the trained policies, at least two, are also pooled.
     *
     * @param name of the pool
     * @param shipped the policy that ships with the project, or null when none of them does
     * @param untrained by the name of a trained policy, the name under which it ran before its first update
     */
    public static Evaluation pooled(
            List<SchedulerRuns> runs,
            String name,
            @Nullable String shipped,
            Map<String, String> untrained,
            EpisodeSample sample) {
        List<SchedulerRuns> seeds = runs.stream().filter(Evaluation::isLearned).toList();
        return of(runs, untrained, new SeedPool(name, seeds, shipped), sample);
    }

    private static Evaluation of(
            List<SchedulerRuns> runs, Map<String, String> untrained, @Nullable SeedPool pool, EpisodeSample sample) {
        requireComparable(runs);
        List<SchedulerScore> scores = new ArrayList<>();
        if (pool != null) {
            scores.add(pool.score());
        }
        for (SchedulerRuns run : runs) {
            scores.add(SchedulerScore.of(run));
        }
        SchedulerRuns reference = reference(runs, scores);
        List<PairedComparison> duels = pool == null ? duels(runs, sample) : duels(pool, runs, sample);
        return new Evaluation(
                runs,
                scores,
                reference == null ? null : reference.name(),
                reference == null ? List.of() : comparisons(pool, runs, reference, duels, sample),
                duels,
                gains(pool, runs, untrained, sample),
                pool,
                sample);
    }

    /** A duel with the reference is itself, so that it has one verdict; the others are corrected together. */
    private static List<PairedComparison> comparisons(
            @Nullable SeedPool pool,
            List<SchedulerRuns> runs,
            SchedulerRuns reference,
            List<PairedComparison> duels,
            EpisodeSample sample) {
        Map<String, PairedComparison> byName = new LinkedHashMap<>();
        if (pool != null) {
            byName.put(pool.name(), PairedComparison.of(pool, reference, sample));
        }
        for (SchedulerRuns run : runs) {
            if (!run.name().equals(reference.name())) {
                byName.put(run.name(), PairedComparison.of(run, reference, sample));
            }
        }
        Map<String, PairedComparison> dueling = new HashMap<>();
        duels.stream()
                .filter(duel -> duel.reference().equals(reference.name()))
                .forEach(duel -> dueling.put(duel.name(), duel));
        PairedComparison.corrected(byName.values().stream()
                        .filter(one -> !dueling.containsKey(one.name()))
                        .toList())
                .forEach(one -> byName.put(one.name(), one));
        byName.replaceAll((name, one) -> dueling.getOrDefault(name, one));
        return List.copyOf(byName.values());
    }

    private static boolean isLearned(SchedulerRuns runs) {
        return runs.role() == SchedulerRuns.Role.LEARNED;
    }

    private static List<PairedComparison> duels(List<SchedulerRuns> runs, EpisodeSample sample) {
        List<PairedComparison> duels = new ArrayList<>();
        for (SchedulerRuns learned : runs) {
            if (isLearned(learned)) {
                List<SchedulerRuns> others = runs.stream()
                        .filter(run -> !run.name().equals(learned.name()) && !isUntrained(run))
                        .toList();
                duels.addAll(duels(learned, others, sample));
            }
        }
        return duels;
    }

    private static List<PairedComparison> duels(SeedPool pool, List<SchedulerRuns> runs, EpisodeSample sample) {
        List<SchedulerRuns> rivals = runs.stream()
                .filter(run -> !isLearned(run) && !isUntrained(run))
                .toList();
        List<PairedComparison> duels = new ArrayList<>(PairedComparison.corrected(rivals.stream()
                .map(run -> PairedComparison.of(pool, run, sample))
                .toList()));
        for (SchedulerRuns seed : pool.seeds()) {
            if (seed.name().equals(pool.shipped())) {
                duels.addAll(duels(seed, rivals, sample));
            }
        }
        return duels;
    }

    /** One policy against its rivals, corrected for their number. */
    private static List<PairedComparison> duels(
            SchedulerRuns policy, List<SchedulerRuns> rivals, EpisodeSample sample) {
        return PairedComparison.corrected(rivals.stream()
                .map(rival -> PairedComparison.of(policy, rival, sample))
                .toList());
    }

    private static boolean isUntrained(SchedulerRuns runs) {
        return runs.role() == SchedulerRuns.Role.UNTRAINED;
    }

    private static List<TrainingGain> gains(
            @Nullable SeedPool pool, List<SchedulerRuns> runs, Map<String, String> untrained, EpisodeSample sample) {
        Map<String, SchedulerRuns> byName = new HashMap<>();
        runs.forEach(run -> byName.put(run.name(), run));
        Map<SchedulerRuns, SchedulerRuns> starts = new LinkedHashMap<>();
        for (SchedulerRuns run : runs) {
            SchedulerRuns start = byName.get(untrained.getOrDefault(run.name(), ""));
            if (isLearned(run) && start != null) {
                starts.put(run, start);
            }
        }
        List<TrainingGain> gains = new ArrayList<>();
        if (pool != null && starts.keySet().containsAll(pool.seeds())) {
            List<SchedulerRuns> of = pool.seeds().stream().map(starts::get).toList();
            boolean isOne = of.stream().distinct().count() == 1;
            String name = isOne ? of.get(0).name() : SeedPool.meanOf(ExperimentEvaluation.UNTRAINED, of.size());
            gains.add(TrainingGain.of(PairedComparison.of(pool, name, of, sample), pool.seeds(), of));
        }
        starts.forEach((run, start) -> {
            if (pool == null || run.name().equals(pool.shipped())) {
                gains.add(TrainingGain.of(PairedComparison.of(run, start, sample), List.of(run), List.of(start)));
            }
        });
        return gains;
    }

    /** Number of episodes every scheduler ran. */
    public int episodes() {
        return runs.get(0).episodes().size();
    }

    /** Jobs that were submitted in all episodes. */
    public int jobs() {
        return runs.get(0).episodes().stream()
                .mapToInt(episode -> episode.submitted().size())
                .sum();
    }

    /** Number of duels of this policy, for which their verdicts are corrected. */
    public long duels(String policy) {
        return duels.stream().filter(duel -> duel.name().equals(policy)).count();
    }

    /** Number of comparisons with the reference that are no duels, for which their verdicts are corrected. */
    public long comparisonsOfOthers() {
        return comparisons.stream().filter(one -> !duels.contains(one)).count();
    }

    /** Schedulers that did the same in all episodes. */
    public List<Coincidence> coincidences() {
        return Coincidence.of(runs);
    }

    /** Whether this scheduler is one seed of the pool. */
    public boolean isSeed(String name) {
        return pool != null && pool.holds(name);
    }

    /** The scores, the least value of the metric first; ties keep their order. */
    public List<SchedulerScore> ranking(RankingMetric metric) {
        return scores.stream()
                .sorted(Comparator.comparingDouble(score -> score.figures().value(metric)))
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

    public SchedulerScore score(String name) {
        return scores.stream()
                .filter(score -> score.name().equals(name))
                .findFirst()
                .orElseThrow();
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

    /** Returns this evaluation with comparisons against a scheduler of one's choice. */
    public Evaluation against(String name) {
        SchedulerRuns chosen = runs.stream()
                .filter(run -> run.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scheduler (%s) ran".formatted(name)));
        return new Evaluation(
                runs, scores, name, comparisons(pool, runs, chosen, duels, sample), duels, gains, pool, sample);
    }

    /** Whether the reference is the best heuristic. */
    public boolean isAgainstBest() {
        SchedulerRuns best = reference(runs, scores);
        return best != null && best.name().equals(reference);
    }

    private static @Nullable SchedulerRuns reference(List<SchedulerRuns> runs, List<SchedulerScore> scores) {
        Set<String> rejecting = new HashSet<>();
        for (SchedulerRuns run : runs) {
            if (run.rejected() > 0) {
                rejecting.add(run.name());
            }
        }
        SchedulerScore best = null;
        for (SchedulerScore score : scores) {
            if (score.role() == SchedulerRuns.Role.HEURISTIC && (best == null || isBetter(score, best, rejecting))) {
                best = score;
            }
        }
        for (SchedulerRuns run : runs) {
            if (best != null && run.name().equals(best.name())) {
                return run;
            }
        }
        return null;
    }

    private static boolean isBetter(SchedulerScore score, SchedulerScore than, Set<String> rejecting) {
        boolean isRejecting = rejecting.contains(score.name());
        return isRejecting == rejecting.contains(than.name())
                ? Double.compare(score.jct().mean(), than.jct().mean()) < 0
                : !isRejecting;
    }

    private static void requireComparable(List<SchedulerRuns> runs) {
        Invalid.when(runs.isEmpty(), "no scheduler to evaluate");
        SchedulerRuns first = runs.get(0);
        Set<String> names = new HashSet<>();
        for (SchedulerRuns run : runs) {
            Invalid.when(!names.add(run.name()), "scheduler (%s) appears twice", run.name());
            if (run.episodes().size() != first.episodes().size()) {
                throw new IllegalArgumentException("scheduler %s ran (%d) episodes, %s ran (%d)"
                        .formatted(
                                run.name(),
                                run.episodes().size(),
                                first.name(),
                                first.episodes().size()));
            }
        }
        for (SchedulerRuns other : runs.subList(1, runs.size())) {
            for (int i = 0; i < other.episodes().size(); i++) {
                requireSameJobs(i, other, first);
            }
        }
    }

    private static void requireSameJobs(int episode, SchedulerRuns run, SchedulerRuns first) {
        RunResult ours = run.episodes().get(episode);
        RunResult theirs = first.episodes().get(episode);
        List<JobSpec> our = ours.submitted();
        List<JobSpec> their = theirs.submitted();
        boolean same = our.size() == their.size() && ours.gpus() == theirs.gpus();
        for (int i = 0; same && i < our.size(); i++) {
            same = sameJob(our.get(i), their.get(i));
        }
        Invalid.when(!same, "episode (%d) of scheduler %s is not that of %s", episode, run.name(), first.name());
    }

    private static boolean sameJob(JobSpec a, JobSpec b) {
        return a.name().equals(b.name()) && a.submitNanos() == b.submitNanos() && a.gpus() == b.gpus();
    }
}
