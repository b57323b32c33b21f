package org.trainyard.experiments.simulation;

import static org.trainyard.experiments.io.AnswerTable.shortened;
import static org.trainyard.experiments.report.RankedSchedulers.NAME_WIDTH;
import static org.trainyard.experiments.report.RankedSchedulers.change;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.blocks.BlockBootstrap;
import org.trainyard.experiments.blocks.BlockRanking;
import org.trainyard.experiments.evaluation.Coincidence;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.report.JobFiguresAnswer;
import org.trainyard.experiments.report.RankedSchedulers;
import org.trainyard.experiments.report.ResultSentence;

/** An evaluation on one trace for people, best scheduler first, with intervals over time where there are any. */
final class TraceAnswer {
    private static final int RANKED_WIDTH = 32;

    private final RankedSchedulers ranked;
    private final Evaluation evaluation;
    private final RankingMetric metric;
    private final List<SchedulerScore> schedulers;
    private final @Nullable BlockRanking ranking;
    private final JobFiguresAnswer figures;

    /**
     * @param metric that ranks the rows
     * @param ranking null without intervals over time
     */
    TraceAnswer(Evaluation evaluation, RankingMetric metric, @Nullable BlockRanking ranking) {
        this.evaluation = evaluation;
        this.metric = metric;
        this.ranking = ranking;
        ranked = RankedSchedulers.of(evaluation, metric);
        schedulers = ranked.scores();
        figures = new JobFiguresAnswer(evaluation, schedulers);
    }

    /** The result in a sentence and one table. */
    Answer brief() {
        double best = schedulers.get(0).figures().value(metric);
        return result().table(AnswerTable.of(schedulers)
                        .text("scheduler", score -> shortened(score.name(), NAME_WIDTH))
                        .text(metric.words(), ranked::value)
                        .text("from best", score -> fromBest(score.figures().value(metric), best))
                        .duration(
                                ranked.isMeanJct() ? "mean wait" : "mean JCT",
                                score -> ranked.isMeanJct()
                                        ? score.figures().waiting().mean()
                                        : score.jct().mean())
                        .duration("p95 wait", score -> score.figures().waiting().p95())
                        .number(
                                "slowdown *",
                                "%.2f",
                                score -> score.figures().slowdown().mean())
                        .count("preempt", SchedulerScore::preemptions)
                        .text("", score -> isLevel(score) ? "too close to call" : ""))
                .gap()
                .add(figures.utilities())
                .add(figures.freezing())
                .say("* JCT over the undisturbed run time. More columns, intervals and hashes: --verbose.")
                .add(remarks());
    }

    /**
     * The result in a sentence and all tables.
     *
     * @param times adds columns of the time that runs took
     */
    Answer wide(Consumer<AnswerTable<SchedulerScore>> times) {
        return result().add(tables(times)).add(remarks());
    }

    private Answer result() {
        String sure = schedulers.size() > 1 && isLevel(schedulers.get(1))
                ? ", too close to call"
                : ranking == null ? ", without an interval" : "";
        return new Answer()
                .say(ResultSentence.ofTrace(
                        metric.words(),
                        schedulers.stream().map(SchedulerScore::name).toList(),
                        schedulers.stream().map(ranked::value).toList(),
                        sure))
                .gap();
    }

    private Answer remarks() {
        Answer answer = new Answer().wrap(ranked.kinds());
        for (Coincidence coincidence : evaluation.coincidences()) {
            answer.say(
                    coincidence.decisions()
                            ? "Identical here: %s; their event logs are equal.".formatted(coincidence.names())
                            : coincidence.sentence());
        }
        return answer.say(figures.rejections());
    }

    private static String fromBest(double value, double best) {
        return best > 0 && value > best ? change(100 * (value / best - 1)) : "";
    }

    private boolean isLevel(SchedulerScore score) {
        return ranking != null
                && ranking.rows().stream()
                        .anyMatch(row -> row.name().equals(score.name())
                                && row.ranked().isLevel()
                                && !row.ranked().isBest());
    }

    private Answer tables(Consumer<AnswerTable<SchedulerScore>> times) {
        AnswerTable<SchedulerScore> rest = AnswerTable.of(schedulers)
                .text("scheduler", SchedulerScore::name)
                .duration("mean JCT", score -> score.jct().mean())
                .percent("GPUs used", SchedulerScore::gpuUtilisation)
                .number("neighbours", "%.3f", SchedulerScore::slowdownMean)
                .count("preemptions", SchedulerScore::preemptions)
                .count("decisions", SchedulerScore::decisions);
        times.accept(rest);
        return new Answer()
                .table(completionTimes())
                .gap()
                .table(waits())
                .say("* JCT over the undisturbed run time. Restarts, neighbours and placement: mean time that a job"
                        + " lost to each.")
                .gap()
                .table(rest)
                .gap()
                .add(figures.utilities())
                .add(figures.parties())
                .add(figures.freezing())
                .add(intervals())
                .table(AnswerTable.of(evaluation.scores())
                        .text("scheduler", SchedulerScore::name)
                        .text("SHA-256 of the event log", SchedulerScore::eventLogSha256));
    }

    private AnswerTable<SchedulerScore> completionTimes() {
        CellFormat seconds = CellFormat.of("%,.1f");
        return AnswerTable.of(schedulers)
                .text("scheduler", SchedulerScore::name)
                .count("jobs", SchedulerScore::jobs)
                .column("mean JCT, s", seconds, score -> score.jct().mean())
                .column("median", seconds, score -> score.jct().median())
                .column("p95", seconds, score -> score.jct().p95())
                .column("p99", seconds, score -> score.jct().p99())
                .column("queueing", seconds, score -> score.figures().waiting().mean())
                .column("makespan", seconds, SchedulerScore::makespan);
    }

    private AnswerTable<SchedulerScore> waits() {
        return AnswerTable.of(schedulers)
                .text("scheduler", SchedulerScore::name)
                .duration("mean wait", score -> score.figures().waiting().mean())
                .duration("median", score -> score.figures().waiting().median())
                .duration("p95", score -> score.figures().waiting().p95())
                .duration("p99", score -> score.figures().waiting().p99())
                .number(
                        "slowdown *",
                        "%.2f",
                        score -> score.figures().slowdown().mean())
                .number("p95", "%.2f", score -> score.figures().slowdown().p95())
                .duration("restarts", score -> score.figures().parts().restart())
                .duration("neighbours", score -> score.figures().parts().interference())
                .duration("placement", score -> score.figures().parts().placement());
    }

    /** The intervals over time, or why there are none where schedulers are compared on one trace. */
    private Answer intervals() {
        if (ranking != null) {
            return new Answer()
                    .table(intervals(ranking.rows()))
                    .say("Intervals: %s.".formatted(BlockRanking.METHOD))
                    .gap();
        }
        if (evaluation.runs().size() < 2 || evaluation.episodes() > 1) {
            return new Answer();
        }
        boolean isRejecting = evaluation.runs().stream().anyMatch(run -> run.rejected() > 0);
        return new Answer()
                .tell(
                        "No intervals: they need at least %d jobs%s.",
                        BlockRanking.ENOUGH_JOBS, isRejecting ? ", and two schedulers that complete all of them" : "")
                .gap();
    }

    private AnswerTable<BlockRanking.Row> intervals(List<BlockRanking.Row> rows) {
        AnswerTable<BlockRanking.Row> table = AnswerTable.of(rows)
                .text("scheduler", row -> shortened(row.name(), RANKED_WIDTH))
                .text(metric.words(), row -> metric.text(row.ranked().value()))
                .text("95 % interval", row -> interval(row.ranked().bounds(), metric))
                .text("more than the best", row -> interval(row.ranked().fromBest(), metric))
                .text("", row -> row.ranked().isBest() ? "best" : row.ranked().isLevel() ? "too close to call" : "");
        return ranked.isMeanJct()
                ? table
                : table.text("mean JCT, interval", row -> interval(row.meanJctBounds(), RankingMetric.MEAN_JCT));
    }

    private static String interval(BlockBootstrap.@Nullable Bounds bounds, RankingMetric of) {
        return bounds == null ? "" : bounds.text(of);
    }
}
