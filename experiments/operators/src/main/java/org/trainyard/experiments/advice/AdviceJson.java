package org.trainyard.experiments.advice;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.experiments.blocks.BlockBootstrap;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.metrics.RankingMetric;

/**
 * An {@link Advice} for machines; times in seconds.
 *
 * @param past a {@link Reproduction}; a {@link NoPast} when the log does not say when jobs ran
 * @param noAnswer why no gain is told; null where one is, or that there is none
 * @param keep what runs today, where nothing that the manager runs as configured has a significant gain; else null
 * @param best null, like others of its kind, where its gain is not told
 * @param bound null without one that was asked for
 * @param restartCostsS by what a restart costs
 * @param waitWhileGpusFree the part of the wait in the log while enough GPUs were free; null without a past
 * @param startDelayS between a decision and the start; null without a past
 */
record AdviceJson(
        int jobs,
        double days,
        @JsonUnwrapped Record past,
        String trust,
        String limits,
        RankingMetric metric,
        @Nullable String noAnswer,
        @Nullable String keep,
        @Nullable String best,
        @Nullable String bestWithoutPreemption,
        @Nullable String bestConfigurable,
        @JsonUnwrapped @Nullable Bounded bound,
        List<Payer> pays,
        List<RestartAnswer> restartCostsS,
        List<String> tooCloseToCall,
        List<Scheduler> schedulers,
        List<LeftOut> leftOut,
        double leftOutShare,
        @Nullable Double waitWhileGpusFree,
        @Nullable Double startDelayS,
        List<String> notes) {
    /** Nulls, all of them. */
    private record NoPast(
            @Nullable LogOutcome past,
            @Nullable String nearest,
            @Nullable LogOutcome reproduced,
            @Nullable Double durationFactor,
            @Nullable Double error) {}

    private record Bounded(String bound, @Nullable String bestWithinBound, List<String> withinBound) {}

    /** @param fairness of the accounts or users; left out where they are not compared */
    private record Scheduler(
            String name,
            @Nullable String kind,
            double valueS,
            BlockBootstrap.@Nullable Bounds intervalS,
            @JsonUnwrapped LogOutcome log,
            long preemptions,
            @JsonUnwrapped SchedulerTraits traits,
            List<String> sameAs,
            @JsonInclude(JsonInclude.Include.NON_NULL) WhoPays.@Nullable Fairness fairness) {
        static Scheduler of(RankedScheduler of, Advice advice) {
            return new Scheduler(
                    of.name(),
                    Schedulers.kind(of.name()),
                    of.value(),
                    of.bounds(),
                    of.log(),
                    of.log().preemptions(),
                    of.traits(advice.manager()),
                    of.alike(advice.ranking()),
                    advice.pays().fairness(of.log()));
        }
    }

    static AdviceJson of(Advice advice) {
        Reproduction reproduction = advice.reproduction();
        WhoPays pays = advice.pays();
        Advice.Held held = advice.held();
        boolean isTold = advice.isGainTold();
        return new AdviceJson(
                advice.jobs(),
                advice.days(),
                reproduction == null ? new NoPast(null, null, null, null, null) : reproduction,
                advice.trustWord(),
                advice.limits().label(),
                advice.metric(),
                AdviceText.noAnswer(advice),
                advice.isGainTold() && advice.isToKeep()
                        ? Objects.requireNonNull(advice.today()).name()
                        : null,
                name(advice, advice.best()),
                name(advice, advice.bestWithoutPreemption()),
                name(advice, advice.bestConfigurable()),
                pays.bound() == null
                        ? null
                        : new Bounded(
                                pays.bound().text(),
                                name(advice, advice.bestWithinBound()),
                                isTold ? pays.keepers() : List.of()),
                isTold ? pays.payers() : List.of(),
                isTold ? advice.restarts() : List.of(),
                advice.promises(advice.best())
                        ? advice.level().stream().map(RankedScheduler::name).toList()
                        : List.of(),
                advice.ranking().stream().map(one -> Scheduler.of(one, advice)).toList(),
                advice.leftOut(),
                advice.leftOutShare(),
                held == null ? null : held.past().share(),
                held == null ? null : held.past().delaySeconds(),
                advice.notes());
    }

    private static @Nullable String name(Advice advice, @Nullable RankedScheduler one) {
        return one == null || !advice.promises(one) ? null : one.name();
    }
}
