package org.trainyard.experiments.report;

import static org.trainyard.experiments.io.CellFormat.number;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.metrics.RankingMetric;

/**
 * The schedulers of an evaluation in the order of a metric, with the texts of their figures.
 *
 * @param scores best first
 */
public record RankedSchedulers(Evaluation evaluation, RankingMetric metric, List<SchedulerScore> scores) {
    /** Columns that a scheduler's name has in a table. */
    public static final int NAME_WIDTH = 24;

    public static RankedSchedulers of(Evaluation evaluation, RankingMetric metric) {
        return new RankedSchedulers(evaluation, metric, evaluation.ranking(metric));
    }

    public boolean isMeanJct() {
        return metric == RankingMetric.MEAN_JCT;
    }

    SchedulerScore best() {
        return scores.get(0);
    }

    /** The trained policy that is compared with every scheduler, or null without one. */
    @Nullable String policy() {
        return evaluation.duels().isEmpty() ? null : evaluation.duels().get(0).name();
    }

    boolean isReference(SchedulerScore score) {
        return score.name().equals(evaluation.reference());
    }

    /** The metric of a scheduler. */
    public String value(SchedulerScore score) {
        return metric.text(score.figures().value(metric));
    }

    /** The kinds of the schedulers, where some are no textbook orders; empty otherwise. */
    public String kinds() {
        return Schedulers.kinds(scores.stream().map(SchedulerScore::name).toList());
    }

    /** A difference with its sign. */
    public static String change(double percent) {
        return number("%+.1f %%", percent);
    }

    static String interval(PairedComparison.@Nullable Interval interval) {
        return interval == null ? "undefined" : number("%+.1f .. %+.1f %%", interval.low(), interval.high());
    }
}
