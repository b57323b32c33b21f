package org.trainyard.experiments.report;

import static org.trainyard.experiments.io.AnswerTable.shortened;
import static org.trainyard.experiments.io.CellFormat.number;
import static org.trainyard.experiments.report.RankedSchedulers.NAME_WIDTH;
import static org.trainyard.experiments.report.RankedSchedulers.change;
import static org.trainyard.experiments.report.RankedSchedulers.interval;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.evaluation.Coincidence;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.ExperimentEvaluation;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.evaluation.TrainingGain;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.metrics.RankingMetric;

/** An evaluation of episodes for people, best scheduler first, with paired comparisons in at most 100 columns. */
public final class EpisodesAnswer {
    private static final int POLICY_WIDTH = 40;
    private static final String MARK = " *";

    private final RankedSchedulers ranked;
    private final Evaluation evaluation;
    private final JobFiguresAnswer figures;

    /** The trained policy that is compared with every scheduler, or null without one. */
    private final @Nullable String policy;

    /** Ranked by the mean JCT. */
    public EpisodesAnswer(Evaluation evaluation) {
        this(evaluation, RankingMetric.MEAN_JCT);
    }

    /** @param metric that ranks the rows */
    public EpisodesAnswer(Evaluation evaluation, RankingMetric metric) {
        this.evaluation = evaluation;
        ranked = RankedSchedulers.of(evaluation, metric);
        figures = new JobFiguresAnswer(evaluation, ranked.scores());
        policy = ranked.policy();
    }

    /** The result in sentences and one table, with the tables of what only some jobs have. */
    public Answer brief() {
        return result().add(figures.utilities()).add(figures.freezing()).add(footnotes(false));
    }

    /** The result in sentences and one table, and all tables below. */
    public Answer wide() {
        return result().add(tables());
    }

    /** The result in sentences and one table. */
    private Answer result() {
        Answer answer = sentences();
        AnswerTable<SchedulerScore> table = AnswerTable.of(ranked.scores())
                .text("scheduler", score -> shortened(score.name(), NAME_WIDTH) + mark(score))
                .text(ranked.metric().words(), ranked::value)
                .duration(
                        ranked.isMeanJct() ? "p95 JCT" : "mean JCT",
                        score -> ranked.isMeanJct()
                                ? score.jct().p95()
                                : score.jct().mean());
        if (policy == null) {
            answer.table(
                    compared(table, evaluation.isAgainstBest() ? "vs best *" : "vs *", this::compared, score -> ""));
        } else {
            String own = policy.equals(ExperimentEvaluation.LEARNED)
                    ? "its mean JCT"
                    : "the mean JCT of %s".formatted(shortened(policy, POLICY_WIDTH));
            answer.table(compared(table, ExperimentEvaluation.LEARNED, this::duel, score -> ""))
                    .say("Column %s: %s against that of the row's scheduler."
                            .formatted(ExperimentEvaluation.LEARNED, own));
        }
        return answer.gap();
    }

    private Answer sentences() {
        Answer answer = new Answer()
                .wrap(policy == null ? ResultSentence.ofBest(ranked) : ResultSentence.ofPolicy(policy, evaluation));
        if (evaluation.pool() == null) {
            evaluation.duels().stream()
                    .map(PairedComparison::name)
                    .distinct()
                    .skip(1)
                    .forEach(name -> answer.wrap(ResultSentence.ofPolicy(name, evaluation)));
        }
        return answer.gap();
    }

    /** All tables and the notes below them. */
    Answer tables() {
        Answer answer = new Answer()
                .table(AnswerTable.of(ranked.scores())
                        .text("scheduler", this::name)
                        .duration("mean JCT", score -> score.jct().mean())
                        .text(
                                ranked.isMeanJct() ? "seconds" : ranked.metric().words(),
                                score -> ranked.isMeanJct()
                                        ? number("%.1f", score.jct().mean())
                                        : ranked.value(score))
                        .duration("median", score -> score.jct().median())
                        .duration("p95", score -> score.jct().p95())
                        .duration("p99", score -> score.jct().p99())
                        .duration("queueing", score -> score.figures().waiting().mean()))
                .gap()
                .table(compared(
                        AnswerTable.of(ranked.scores())
                                .text("scheduler", this::name)
                                .duration("makespan", SchedulerScore::makespan)
                                .number("slowdown", "%.3f", SchedulerScore::slowdownMean)
                                .percent("GPUs", SchedulerScore::gpuUtilisation)
                                .number("preempt", "%.0f", SchedulerScore::preemptions),
                        "vs best *",
                        this::compared,
                        score -> ranked.isReference(score) ? "reference" : ""))
                .gap()
                .add(figures.utilities())
                .add(figures.parties())
                .add(figures.freezing());
        if (policy != null) {
            answer.table(AnswerTable.of(evaluation.duels())
                            .text("policy", duel -> shortened(duel.name(), NAME_WIDTH))
                            .text("against", duel -> shortened(duel.reference(), NAME_WIDTH))
                            .text("mean JCT", duel -> change(duel.mean()))
                            .text("95 % interval", duel -> interval(duel.interval()))
                            .text("", PairedComparison::conclusion))
                    .gap();
        }
        return answer.add(footnotes(true));
    }

    /** Adds the mean difference of a row's comparison, its interval and its conclusion. */
    private static AnswerTable<SchedulerScore> compared(
            AnswerTable<SchedulerScore> table,
            String heading,
            Function<SchedulerScore, @Nullable PairedComparison> comparison,
            Function<SchedulerScore, String> otherwise) {
        return table.text(heading, score -> ifAny(comparison.apply(score), one -> change(one.mean()), ""))
                .text("95 % interval", score -> ifAny(comparison.apply(score), one -> interval(one.interval()), ""))
                .text(
                        "",
                        score -> ifAny(comparison.apply(score), PairedComparison::conclusion, otherwise.apply(score)));
    }

    private static String ifAny(
            @Nullable PairedComparison comparison, Function<PairedComparison, String> text, String otherwise) {
        return comparison == null ? otherwise : text.apply(comparison);
    }

    private @Nullable PairedComparison compared(SchedulerScore score) {
        return evaluation.comparison(score.name());
    }

    private @Nullable PairedComparison duel(SchedulerScore rival) {
        return evaluation.duels().stream()
                .filter(duel -> duel.name().equals(policy) && duel.reference().equals(rival.name()))
                .findFirst()
                .orElse(null);
    }

    private String mark(SchedulerScore score) {
        return ranked.isReference(score) ? MARK : "";
    }

    private String name(SchedulerScore score) {
        String mark = mark(score);
        return shortened(score.name(), NAME_WIDTH - mark.length()) + mark;
    }

    private Answer footnotes(boolean isWide) {
        return new ComparisonNotes(ranked, isWide)
                .answer()
                .wrap(ranked.kinds())
                .wrap(figures.rejections())
                .wrap(evaluation.gains().stream().map(TrainingGain::sentence).toList())
                .wrap(evaluation.coincidences().stream()
                        .map(Coincidence::sentence)
                        .toList());
    }
}
