package org.trainyard.experiments.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.evaluation.SeedPool;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.metrics.Distribution;
import org.trainyard.experiments.metrics.Fairness;
import org.trainyard.experiments.metrics.FreezingFigures;
import org.trainyard.experiments.metrics.Grouping;
import org.trainyard.experiments.metrics.JctParts;
import org.trainyard.experiments.metrics.JobFigures;
import org.trainyard.experiments.metrics.JobGroup;
import org.trainyard.experiments.metrics.UtilityFigures;

/**
 * {@code summary.json}: equal bytes for equal results, keys in a fixed order, times in seconds as plain decimals with
 * at most nine places.
 *
 * @param comparison null without a heuristic
 * @param duels each trained policy against each other scheduler; p-values are corrected for all duels of one policy
 * @param trainingGain of each trained policy whose untrained start is known
 * @param coincidences schedulers that did the same in all episodes
 * @param pool several seeds of one policy, whose intervals use its method; left out without
 * @param ranking a record of intervals of one trace under several schedulers; left out without
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SummaryJson(
        JsonNode config,
        long seed,
        List<Scheduler> schedulers,
        @JsonInclude @Nullable Comparison comparison,
        List<Difference> duels,
        List<Gain> trainingGain,
        List<Coincidence> coincidences,
        @Nullable Pool pool,
        @Nullable Record ranking) {
    private static final String NOT_CORRECTED =
            "the interval excludes zero, but not once corrected for all comparisons";

    /**
     * The figures of one scheduler's jobs.
     *
     * @param kind that of {@code list schedulers}, null for a trained policy
     * @param jobs that were completed
     * @param rejected left out when it is 0
     * @param timedOut killed at their time limits; left out when it is 0
     * @param slowdownMean by co-located jobs alone
     * @param events left out where the jobs are kept
     * @param jctSlowdown the JCT over the undisturbed run time
     * @param jctPartsS means that add up to that of the JCT
     * @param fairness indices are null with fewer than two users or virtual clusters
     * @param wideWaitS of jobs of more than eight GPUs, where there are some
     * @param by groups by {@code gpus, user, group, virtual_cluster, account, qos}, those that the jobs have, with at
     *     most twenty names and {@code others}
     * @param utility where jobs have utilities
     * @param freezing where jobs allow frozen layers
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Scheduler(
            String name,
            @JsonInclude @Nullable String kind,
            long jobs,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) long rejected,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) long timedOut,
            Distribution jctS,
            double makespanS,
            double slowdownMean,
            double gpuUtilisation,
            long preemptions,
            long decisions,
            @Nullable Long events,
            String eventLogSha256,
            Distribution waitS,
            Distribution jctSlowdown,
            @Nullable JctParts jctPartsS,
            @Nullable Fairness fairness,
            @Nullable Distribution wideWaitS,
            @Nullable Map<String, List<JobGroup>> by,
            @Nullable UtilityFigures utility,
            @Nullable FreezingFigures freezing) {
        static Scheduler of(SchedulerScore score, SchedulerRuns runs) {
            JobFigures figures = score.figures();
            return new Scheduler(
                    score.name(),
                    Schedulers.kind(score.name()),
                    score.jobs(),
                    runs.rejected(),
                    runs.timedOut(),
                    score.jct(),
                    score.makespan(),
                    score.slowdownMean(),
                    score.gpuUtilisation(),
                    score.preemptions(),
                    score.decisions(),
                    null,
                    score.eventLogSha256(),
                    figures.waiting(),
                    figures.slowdown(),
                    figures.parts(),
                    figures.fairness(),
                    figures.wideWaiting(),
                    Grouping.all(runs.episodes()),
                    figures.utility(),
                    figures.freezing());
        }
    }

    /**
     * All schedulers against the best heuristic.
     *
     * @param schedulers p-values of duels are corrected as such, the others together
     */
    public record Comparison(
            String reference,
            int episodes,
            double level,
            String method,
            String correction,
            boolean windowsOverlap,
            List<Difference> schedulers) {
        static @Nullable Comparison of(Evaluation evaluation) {
            String reference = evaluation.reference();
            return reference == null
                    ? null
                    : new Comparison(
                            reference,
                            evaluation.episodes(),
                            PairedComparison.LEVEL,
                            PairedComparison.METHOD,
                            PairedComparison.CORRECTION,
                            evaluation.sample().overlapping(),
                            evaluation.comparisons().stream()
                                    .map(one -> Difference.of(one, null))
                                    .toList());
        }
    }

    /**
     * A paired difference of mean JCTs.
     *
     * @param against left out where it is the reference
     * @param interval null with a single episode
     * @param p null without a verdict
     * @param reason beside the verdict "not shown"
     */
    public record Difference(
            String name,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String against,

            double jctDifferencePercent,
            PairedComparison.@Nullable Interval interval,
            @Nullable Double p,
            @Nullable Double pCorrected,
            String verdict,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String reason) {
        static Difference of(PairedComparison comparison, @Nullable String against) {
            PairedComparison.Significance significance = comparison.significance();
            String verdict = comparison.conclusion();
            return new Difference(
                    comparison.name(),
                    against,
                    comparison.mean(),
                    comparison.interval(),
                    significance == null ? null : significance.p(),
                    significance == null ? null : significance.corrected(),
                    verdict,
                    verdict.equals(PairedComparison.NOT_SHOWN) ? NOT_CORRECTED : null);
        }
    }

    /** By how much training shortened the mean JCT. */
    public record Gain(
            String name,
            String untrained,
            double percent,
            PairedComparison.@Nullable Interval interval,
            String verdict,
            String sentence) {}

    /** @param same decisions or completions */
    public record Coincidence(List<String> schedulers, String same) {}

    /** @param shipped the name of the seed that ships, or null */
    public record Pool(
            String name,
            String method,
            List<String> seeds,
            @Nullable String shipped) {
        static @Nullable Pool of(@Nullable SeedPool pool) {
            return pool == null
                    ? null
                    : new Pool(
                            pool.name(),
                            PairedComparison.POOLED_METHOD,
                            pool.seeds().stream().map(SchedulerRuns::name).toList(),
                            pool.shipped());
        }
    }

    /** @param ranking null without intervals over time */
    public static SummaryJson of(JsonNode config, long seed, Evaluation evaluation, @Nullable Record ranking) {
        return new SummaryJson(
                config,
                seed,
                evaluation.scores().stream()
                        .map(score -> Scheduler.of(score, evaluation.runs(score.name())))
                        .toList(),
                Comparison.of(evaluation),
                evaluation.duels().stream()
                        .map(duel -> Difference.of(duel, duel.reference()))
                        .toList(),
                evaluation.gains().stream()
                        .map(gain -> new Gain(
                                gain.comparison().name(),
                                gain.comparison().reference(),
                                gain.percent(),
                                gain.interval(),
                                gain.comparison().verdict().word(),
                                gain.sentence()))
                        .toList(),
                evaluation.coincidences().stream()
                        .map(one -> new Coincidence(one.schedulers(), one.decisions() ? "decisions" : "completions"))
                        .toList(),
                Pool.of(evaluation.pool()),
                ranking);
    }

    /** The file as a tree. */
    public JsonNode tree() {
        return JsonText.rounded(this);
    }
}
