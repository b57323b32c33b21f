package org.trainyard.experiments.report;

import static org.trainyard.experiments.io.AnswerTable.shortened;
import static org.trainyard.experiments.io.CellFormat.number;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.BlockRanking;
import org.trainyard.experiments.evaluation.Coincidence;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.ExperimentEvaluation;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.evaluation.SeedPool;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.metrics.BlockBootstrap;
import org.trainyard.experiments.metrics.RankingMetric;

/**
 * An evaluation for people, best scheduler first: of episodes, with paired comparisons, or of one trace, with
 * intervals over time. The result is a sentence and a table of at most 100 columns.
 */
public final class EvaluationAnswer {
    private static final int NAME_WIDTH = 24;
    private static final int RANKED_WIDTH = 32;
    private static final int POLICY_WIDTH = 40;
    private static final String MARK = " *";
    private static final String GREEN = "\u001b[32m";
    private static final String RED = "\u001b[31m";
    private static final String PLAIN = "\u001b[0m";

    private final Evaluation evaluation;
    private final RankingMetric metric;
    private final boolean isMeanJct;
    private final List<SchedulerScore> ranked;
    private final JobFiguresAnswer figures;

    /** The trained policy that is compared with every scheduler, or null without one. */
    private final @Nullable String policy;

    /** Ranked by the mean JCT. */
    public EvaluationAnswer(Evaluation evaluation) {
        this(evaluation, RankingMetric.MEAN_JCT);
    }

    /** @param metric that ranks the rows */
    public EvaluationAnswer(Evaluation evaluation, RankingMetric metric) {
        this.evaluation = evaluation;
        this.metric = metric;
        isMeanJct = metric == RankingMetric.MEAN_JCT;
        ranked = evaluation.ranking(metric);
        figures = new JobFiguresAnswer(evaluation, ranked);
        policy = evaluation.duels().isEmpty() ? null : evaluation.duels().get(0).name();
    }

    /** A text whose verdicts are coloured, for terminals. */
    static String coloured(String text) {
        return text.replaceAll("(?m)better$", GREEN + "better" + PLAIN).replaceAll("(?m)worse$", RED + "worse" + PLAIN);
    }

    /** Prints an answer, its verdicts coloured on a terminal. */
    public static void print(Answer answer, PrintWriter out) {
        out.print(Progress.onTerminal() ? coloured(answer.console()) : answer.console());
    }

    /** The result of some episodes in a sentence and one table; all tables below where they are asked for. */
    public Answer ofEpisodes(boolean isWide) {
        Answer answer = new Answer().wrap(policy == null ? ofBest() : ofPolicy(policy));
        if (evaluation.pool() == null) {
            answer.wrap(evaluation.duels().stream()
                    .map(PairedComparison::name)
                    .distinct()
                    .skip(1)
                    .map(this::ofPolicy)
                    .toList());
        }
        answer.gap();
        AnswerTable<SchedulerScore> table = AnswerTable.of(ranked)
                .text("scheduler", score -> shortened(score.name(), NAME_WIDTH) + mark(score))
                .text(metric.words(), this::value)
                .duration(
                        isMeanJct ? "p95 JCT" : "mean JCT",
                        score -> isMeanJct ? score.jct().p95() : score.jct().mean());
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
        answer.gap();
        return isWide
                ? answer.add(allOfEpisodes())
                : answer.add(figures.utilities()).add(figures.freezing()).add(footnotes(false));
    }

    /** All tables of some episodes. */
    public Answer allOfEpisodes() {
        Answer answer = new Answer()
                .table(AnswerTable.of(ranked)
                        .text("scheduler", this::name)
                        .duration("mean JCT", score -> score.jct().mean())
                        .text(
                                isMeanJct ? "seconds" : metric.words(),
                                score -> isMeanJct ? number("%.1f", score.jct().mean()) : value(score))
                        .duration("median", score -> score.jct().median())
                        .duration("p95", score -> score.jct().p95())
                        .duration("p99", score -> score.jct().p99())
                        .duration("queueing", score -> score.figures().waiting().mean()))
                .gap()
                .table(compared(
                        AnswerTable.of(ranked)
                                .text("scheduler", this::name)
                                .duration("makespan", SchedulerScore::makespan)
                                .number("slowdown", "%.3f", SchedulerScore::slowdownMean)
                                .percent("GPUs", SchedulerScore::gpuUtilisation)
                                .number("preempt", "%.0f", SchedulerScore::preemptions),
                        "vs best *",
                        this::compared,
                        score -> isReference(score) ? "reference" : ""))
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

    private boolean isReference(SchedulerScore score) {
        return score.name().equals(evaluation.reference());
    }

    private String mark(SchedulerScore score) {
        return isReference(score) ? MARK : "";
    }

    private String name(SchedulerScore score) {
        String mark = mark(score);
        return shortened(score.name(), NAME_WIDTH - mark.length()) + mark;
    }

    private String value(SchedulerScore score) {
        return metric.text(score.figures().value(metric));
    }

    private static String change(double percent) {
        return number("%+.1f %%", percent);
    }

    private static String interval(PairedComparison.@Nullable Interval interval) {
        return interval == null ? "undefined" : number("%+.1f .. %+.1f %%", interval.low(), interval.high());
    }

    private String ofBest() {
        SchedulerScore first = ranked.get(0);
        if (ranked.size() < 2) {
            return "Result: %s has a %s of %s.".formatted(first.name(), metric.words(), value(first));
        }
        SchedulerScore second = ranked.get(1);
        PairedComparison compared = compared(isReference(second) ? first : second);
        String sure = compared != null && (isReference(first) || isReference(second)) && isMeanJct
                ? " (%s)".formatted(compared.conclusion())
                : "";
        return "Result: %s has the least %s, %s; %s follows with %s%s."
                .formatted(first.name(), metric.words(), value(first), second.name(), value(second), sure);
    }

    private String ofPolicy(String name) {
        List<PairedComparison> duels = evaluation.duels().stream()
                .filter(duel -> duel.name().equals(name))
                .toList();
        PairedComparison nearest = duels.stream()
                .filter(duel -> duel.reference().equals(evaluation.reference()))
                .findFirst()
                .orElse(duels.get(0));
        Map<String, Long> counts =
                duels.stream().collect(Collectors.groupingBy(PairedComparison::conclusion, Collectors.counting()));
        long worse = counts.getOrDefault("worse", 0L);
        return Counted.say(
                "Result: the mean JCT of %s is %s, %s against %s (%s: %s); of %d schedulers it is better than %d%s.",
                name,
                Durations.human(score(name).jct().mean()),
                change(nearest.mean()),
                nearest.reference(),
                interval(nearest.interval()),
                nearest.conclusion(),
                duels.size(),
                counts.getOrDefault("better", 0L),
                worse == 0 ? "" : " and worse than %d".formatted(worse));
    }

    private SchedulerScore score(String name) {
        return evaluation.scores().stream()
                .filter(score -> score.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private Answer footnotes(boolean isWide) {
        Answer notes = new Answer()
                .tell(
                        "%d episodes, %d jobs in all; queueing and slowdown are means over jobs.",
                        evaluation.episodes(), evaluation.jobs())
                .say("Rows are sorted by the %s over all jobs; differences are means over episodes."
                        .formatted(metric.words()));
        if (!isMeanJct && evaluation.reference() != null) {
            notes.say("--metric changes the order alone: differences and verdicts are those of the mean JCT.");
        }
        SeedPool pool = evaluation.pool();
        if (pool != null) {
            notes.say("%s: the mean over seeds, no policy that can run; its intervals are over seeds and episodes."
                    .formatted(pool.name()));
        }
        if (evaluation.reference() == null) {
            notes.say("No heuristic took part, so nothing is compared.");
        } else {
            if (shown(isWide).anyMatch(one -> one.conclusion().equals(PairedComparison.NOT_SHOWN))) {
                notes.say("Not shown: the interval excludes zero, but not once corrected for the comparisons.");
            }
            notes.say("* %s; differences of the mean JCT per episode, paired."
                    .formatted(evaluation.isAgainstBest() ? "best heuristic" : "reference asked for"));
            opposites(score(evaluation.reference()).jct().mean(), notes);
            basis(isWide, notes);
        }
        notes.wrap(kinds()).wrap(figures.rejections());
        evaluation.gains().forEach(gain -> notes.wrap(gain.sentence()));
        evaluation.coincidences().forEach(coincidence -> notes.wrap(coincidence.sentence()));
        return notes;
    }

    /** The comparisons whose verdicts are in the tables and in the sentences above them. */
    private Stream<PairedComparison> shown(boolean isWide) {
        if (isWide) {
            return Stream.concat(evaluation.comparisons().stream(), evaluation.duels().stream());
        }
        return policy == null
                ? evaluation.comparisons().stream()
                : evaluation.duels().stream()
                        .filter(duel ->
                                duel.name().equals(policy) || duel.reference().equals(evaluation.reference()));
    }

    /** Kinds of the schedulers in the rows, where some are no textbook orders; empty otherwise. */
    private String kinds() {
        return Schedulers.kinds(ranked.stream().map(SchedulerScore::name).toList());
    }

    /** The schedulers whose mean of ratios and ratio of means lie on different sides of the reference or of a rival. */
    private void opposites(double reference, Answer notes) {
        for (SchedulerScore score : evaluation.scores()) {
            PairedComparison comparison = compared(score);
            double ofMeans = 100 * (score.jct().mean() / reference - 1);
            if (comparison != null && ofMeans * comparison.mean() < 0) {
                notes.say("%s: %s as the mean over episodes, but %s by the mean JCT over all jobs."
                        .formatted(shortened(score.name(), NAME_WIDTH), change(comparison.mean()), change(ofMeans)));
            }
        }
        for (PairedComparison duel : evaluation.duels()) {
            double ofMeans = 100
                    * (score(duel.name()).jct().mean()
                                    / score(duel.reference()).jct().mean()
                            - 1);
            if (!duel.reference().equals(evaluation.reference()) && ofMeans * duel.mean() < 0) {
                notes.say("%s against %s: %s as the mean over episodes, but %s over all jobs."
                        .formatted(
                                shortened(duel.name(), NAME_WIDTH),
                                shortened(duel.reference(), NAME_WIDTH),
                                change(duel.mean()),
                                change(ofMeans)));
            }
        }
    }

    /** Statistical basis of the verdicts, or the reason for their absence. */
    private void basis(boolean isWide, Answer notes) {
        if (evaluation.episodes() < PairedComparison.ENOUGH_EPISODES) {
            notes.say((evaluation.episodes() == 1 ? "One episode has no interval; a" : "A")
                    + Counted.say(" verdict needs at least %d episodes.", PairedComparison.ENOUGH_EPISODES));
        } else if (evaluation.sample().overlapping()) {
            notes.say("Windows overlap: no verdict. Test episodes share jobs, so intervals are too narrow.");
        } else {
            List<String> families = families(isWide);
            if (!families.isEmpty()) {
                notes.wrap("Verdicts corrected by Holm at 5 %%: %s.".formatted(String.join(", ", families)))
                        .say("Intervals are 95 % each, not corrected.");
            }
        }
    }

    /** The comparisons that are shown, as they are corrected together. */
    private List<String> families(boolean isWide) {
        long duels = policy == null ? 0 : evaluation.duels(policy);
        long others = isWide || policy == null ? evaluation.comparisonsOfOthers() : 0;
        List<String> families = new ArrayList<>();
        if (duels > 1) {
            families.add(Counted.say("a policy's for its %,d comparisons", duels));
        }
        if (others > 1) {
            families.add(Counted.say(
                    policy == null ? "those against %s for %,d comparisons" : "others against %s for %,d",
                    String.valueOf(evaluation.reference()),
                    others));
        }
        return families;
    }

    /**
     * The result of one trace.
     *
     * @param ranking null without intervals over time
     * @param isWide whether all tables come in place of the one with the result
     * @param times adds columns of the time that runs took
     */
    public Answer ofTrace(@Nullable BlockRanking ranking, boolean isWide, Consumer<AnswerTable<SchedulerScore>> times) {
        boolean isSecondLevel = ranked.size() > 1 && isLevel(ranking, ranked.get(1));
        String sure = isSecondLevel ? ", too close to call" : ranking == null ? ", without an interval" : "";
        Answer answer = new Answer()
                .say(shortest(
                        metric.words(),
                        ranked.stream().map(SchedulerScore::name).toList(),
                        ranked.stream().map(this::value).toList(),
                        sure))
                .gap();
        if (isWide) {
            allOfTrace(ranking, times, answer);
        } else {
            double best = ranked.get(0).figures().value(metric);
            answer.table(AnswerTable.of(ranked)
                            .text("scheduler", score -> shortened(score.name(), NAME_WIDTH))
                            .text(metric.words(), this::value)
                            .text("from best", score -> fromBest(score.figures().value(metric), best))
                            .duration(
                                    isMeanJct ? "mean wait" : "mean JCT",
                                    score -> isMeanJct
                                            ? score.figures().waiting().mean()
                                            : score.jct().mean())
                            .duration(
                                    "p95 wait",
                                    score -> score.figures().waiting().p95())
                            .number(
                                    "slowdown *",
                                    "%.2f",
                                    score -> score.figures().slowdown().mean())
                            .count("preempt", SchedulerScore::preemptions)
                            .text("", score -> isLevel(ranking, score) ? "too close to call" : ""))
                    .gap()
                    .add(figures.utilities())
                    .add(figures.freezing())
                    .say("* JCT over the undisturbed run time. More columns, intervals and hashes: --verbose.");
        }
        answer.wrap(kinds());
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

    private static boolean isLevel(@Nullable BlockRanking ranking, SchedulerScore score) {
        return ranking != null
                && ranking.rows().stream()
                        .anyMatch(row -> row.name().equals(score.name())
                                && row.ranked().isLevel()
                                && !row.ranked().isBest());
    }

    /**
     * The best of some schedulers and the next in a sentence.
     *
     * @param names the best first
     * @param values of the metric in words
     * @param sure how sure it is, after the value of the next
     */
    public static String shortest(String metric, List<String> names, List<String> values, String sure) {
        return names.size() == 1
                ? "Result: %s has a %s of %s.".formatted(names.get(0), metric, values.get(0))
                : "Result: %s has the shortest %s, %s; %s has %s%s."
                        .formatted(names.get(0), metric, values.get(0), names.get(1), values.get(1), sure);
    }

    private void allOfTrace(
            @Nullable BlockRanking ranking, Consumer<AnswerTable<SchedulerScore>> times, Answer answer) {
        CellFormat seconds = CellFormat.of("%,.1f");
        AnswerTable<SchedulerScore> rest = AnswerTable.of(ranked)
                .text("scheduler", SchedulerScore::name)
                .duration("mean JCT", score -> score.jct().mean())
                .percent("GPUs used", SchedulerScore::gpuUtilisation)
                .number("neighbours", "%.3f", SchedulerScore::slowdownMean)
                .count("preemptions", SchedulerScore::preemptions)
                .count("decisions", SchedulerScore::decisions);
        times.accept(rest);
        answer.table(AnswerTable.of(ranked)
                        .text("scheduler", SchedulerScore::name)
                        .count("jobs", SchedulerScore::jobs)
                        .column("mean JCT, s", seconds, score -> score.jct().mean())
                        .column("median", seconds, score -> score.jct().median())
                        .column("p95", seconds, score -> score.jct().p95())
                        .column("p99", seconds, score -> score.jct().p99())
                        .column(
                                "queueing",
                                seconds,
                                score -> score.figures().waiting().mean())
                        .column("makespan", seconds, SchedulerScore::makespan))
                .gap()
                .table(AnswerTable.of(ranked)
                        .text("scheduler", SchedulerScore::name)
                        .duration(
                                "mean wait", score -> score.figures().waiting().mean())
                        .duration("median", score -> score.figures().waiting().median())
                        .duration("p95", score -> score.figures().waiting().p95())
                        .duration("p99", score -> score.figures().waiting().p99())
                        .number(
                                "slowdown *",
                                "%.2f",
                                score -> score.figures().slowdown().mean())
                        .number(
                                "p95",
                                "%.2f",
                                score -> score.figures().slowdown().p95())
                        .duration("restarts", score -> score.figures().parts().restart())
                        .duration("neighbours", score -> score.figures().parts().interference())
                        .duration("placement", score -> score.figures().parts().placement()))
                .say(
                        "* JCT over the undisturbed run time. Restarts, neighbours and placement: mean time that a job lost"
                                + " to each.")
                .gap()
                .table(rest)
                .gap()
                .add(figures.utilities())
                .add(figures.parties())
                .add(figures.freezing());
        if (ranking != null) {
            answer.table(intervals(ranking))
                    .say("Intervals: %s.".formatted(BlockRanking.METHOD))
                    .gap();
        } else if (evaluation.runs().size() > 1 && evaluation.episodes() == 1) {
            boolean isRejecting = evaluation.runs().stream().anyMatch(run -> run.rejected() > 0);
            answer.tell(
                            "No intervals: they need at least %d jobs%s.",
                            BlockRanking.ENOUGH_JOBS,
                            isRejecting ? ", and two schedulers that complete all of them" : "")
                    .gap();
        }
        answer.table(AnswerTable.of(evaluation.scores())
                .text("scheduler", SchedulerScore::name)
                .text("SHA-256 of the event log", SchedulerScore::eventLogSha256));
    }

    private AnswerTable<BlockRanking.Row> intervals(BlockRanking ranking) {
        AnswerTable<BlockRanking.Row> table = AnswerTable.of(ranking.rows())
                .text("scheduler", row -> shortened(row.name(), RANKED_WIDTH))
                .text(metric.words(), row -> metric.text(row.ranked().value()))
                .text("95 % interval", row -> interval(row.ranked().bounds(), metric))
                .text("more than the best", row -> interval(row.ranked().fromBest(), metric))
                .text("", row -> row.ranked().isBest() ? "best" : row.ranked().isLevel() ? "too close to call" : "");
        return isMeanJct
                ? table
                : table.text("mean JCT, interval", row -> interval(row.meanJctBounds(), RankingMetric.MEAN_JCT));
    }

    private static String interval(BlockBootstrap.@Nullable Bounds bounds, RankingMetric of) {
        return bounds == null ? "" : "%s .. %s".formatted(of.text(bounds.low()), of.text(bounds.high()));
    }
}
