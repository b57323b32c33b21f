package org.trainyard.experiments.advice;

import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.metrics.RankingMetric;

/** Says that the learned policy would serve a log worse than what runs today, and in which worlds it was trained. */
public final class LearnedRemark {
    private LearnedRemark() {}

    /**
     * A sentence, or null where the policy did not run, is no worse, or nothing tells.
     *
     * @param training of the policy, which the sentence sets beside the replays of this log
     */
    public static @Nullable String of(Advice advice, String training) {
        LogOutcome today = advice.today();
        LogOutcome learned = advice.ranking().stream()
                .map(RankedScheduler::log)
                .filter(log -> log.name().equals(Advice.LEARNED))
                .findFirst()
                .orElse(null);
        return today == null || learned == null ? null : of(advice.metric(), today, learned, training);
    }

    static @Nullable String of(RankingMetric metric, LogOutcome today, LogOutcome learned, String training) {
        double now = today.value(metric);
        double then = learned.value(metric);
        return then <= now
                ? null
                : ("Under %s the %s is %s, %s more than under %s: it was trained on %s; jobs of a log run equally fast"
                                + " wherever they start.")
                        .formatted(
                                learned.name(),
                                metric.words(),
                                metric.text(then),
                                metric.text(then - now),
                                today.name(),
                                training);
    }
}
