package org.trainyard.experiments.report;

import static org.trainyard.experiments.io.TextTable.number;
import static org.trainyard.experiments.io.TextTable.shortened;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.evaluation.SeedPool;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.metrics.Distribution;
import org.trainyard.experiments.metrics.RankingMetric;

/** An evaluation as text tables of at most 100 columns, best scheduler first. */
public final class ConsoleTable {
    private static final int WIDTH = 100;
    private static final int NAME_WIDTH = 24;
    private static final String GREEN = "\u001b[32m";
    private static final String RED = "\u001b[31m";
    private static final String PLAIN = "\u001b[0m";

    private ConsoleTable() {}

    /** The tables with the least mean JCT first. */
    public static String render(Evaluation evaluation, boolean colours) {
        return render(evaluation, RankingMetric.MEAN_JCT, colours);
    }

    /** The result of a training by the mean JCT: a sentence, one table and what is to be known of it. */
    public static String result(Evaluation evaluation, boolean colours) {
        return result(evaluation, RankingMetric.MEAN_JCT, false, colours);
    }

    /** The result in a sentence, one table and what is to be known of it; the other tables where they are asked for. */
    public static String result(Evaluation evaluation, RankingMetric metric, boolean isWide, boolean colours) {
        String text = new VerdictTable(evaluation, metric).render() + "\n";
        if (isWide) {
            return (colours ? coloured(text) : text) + render(evaluation, metric, colours);
        }
        text += UtilityTable.render(evaluation) + FreezingTable.render(evaluation) + footnotes(evaluation, metric);
        return colours ? coloured(text) : text;
    }

    /**
     * The tables, each line ended by a newline.
     *
     * @param metric that ranks the rows
     * @param colours whether verdicts are coloured; only for terminals
     */
    public static String render(Evaluation evaluation, RankingMetric metric, boolean colours) {
        boolean isMeanJct = metric == RankingMetric.MEAN_JCT;
        TextTable times = new TextTable(
                "scheduler", "mean JCT", isMeanJct ? "seconds" : metric.words(), "median", "p95", "p99", "queueing");
        TextTable rest =
                new TextTable("scheduler", "makespan", "slowdown", "GPUs", "preempt", "vs best *", "95 % interval", "");
        for (SchedulerScore score : evaluation.ranking(metric)) {
            String ranked = isMeanJct
                    ? number("%.1f", score.jct().mean())
                    : metric.text(score.figures().value(metric));
            times.add(times(evaluation, score, ranked));
            rest.add(rest(evaluation, score));
        }
        String text = times.render() + "\n" + rest.render() + "\n" + UtilityTable.render(evaluation)
                + PartyTable.render(evaluation, metric)
                + FreezingTable.render(evaluation) + duels(evaluation)
                + footnotes(evaluation, metric);
        return colours ? coloured(text) : text;
    }

    private static String[] times(Evaluation evaluation, SchedulerScore score, String ranked) {
        Distribution jct = score.jct();
        return new String[] {
            name(evaluation, score),
            Durations.human(jct.mean()),
            ranked,
            Durations.human(jct.median()),
            Durations.human(jct.p95()),
            Durations.human(jct.p99()),
            Durations.human(score.figures().waiting().mean())
        };
    }

    private static String[] rest(Evaluation evaluation, SchedulerScore score) {
        PairedComparison comparison = evaluation.comparison(score.name());
        return new String[] {
            name(evaluation, score),
            Durations.human(score.makespan()),
            number("%.3f", score.slowdownMean()),
            number("%.1f %%", 100 * score.gpuUtilisation()),
            Long.toString(score.preemptions()),
            comparison == null ? "" : number("%+.1f %%", comparison.mean()),
            comparison == null ? "" : interval(comparison.interval()),
            comparison == null ? word(evaluation, score) : comparison.conclusion()
        };
    }

    /** The comparison of each trained policy with each other scheduler; empty without a trained policy. */
    private static String duels(Evaluation evaluation) {
        if (evaluation.duels().isEmpty()) {
            return "";
        }
        TextTable rows = new TextTable("policy", "against", "mean JCT", "95 % interval", "");
        for (PairedComparison duel : evaluation.duels()) {
            rows.add(
                    shortened(duel.name(), NAME_WIDTH),
                    shortened(duel.reference(), NAME_WIDTH),
                    number("%+.1f %%", duel.mean()),
                    interval(duel.interval()),
                    duel.conclusion());
        }
        return rows.render() + "\n";
    }

    private static boolean hasUnshown(Evaluation evaluation) {
        return Stream.concat(evaluation.comparisons().stream(), evaluation.duels().stream())
                .anyMatch(one -> one.conclusion().equals(PairedComparison.NOT_SHOWN));
    }

    private static String word(Evaluation evaluation, SchedulerScore score) {
        return score.name().equals(evaluation.reference()) ? "reference" : "";
    }

    static String interval(PairedComparison.@Nullable Interval interval) {
        return interval == null ? "undefined" : number("%+.1f .. %+.1f %%", interval.low(), interval.high());
    }

    private static String name(Evaluation evaluation, SchedulerScore score) {
        String mark = score.name().equals(evaluation.reference()) ? " *" : "";
        int room = NAME_WIDTH - mark.length();
        return shortened(score.name(), room) + mark;
    }

    private static String footnotes(Evaluation evaluation, RankingMetric metric) {
        StringBuilder text = new StringBuilder();
        text.append("%d episode%s, %d jobs in all; queueing and slowdown are means over jobs.\n"
                .formatted(evaluation.episodes(), evaluation.episodes() == 1 ? "" : "s", evaluation.jobs()));
        text.append("Rows are sorted by the %s over all jobs; differences are means over episodes.\n"
                .formatted(metric.words()));
        if (metric != RankingMetric.MEAN_JCT && evaluation.reference() != null) {
            text.append("--metric changes the order alone: differences and verdicts are those of the mean JCT.\n");
        }
        SeedPool pool = evaluation.pool();
        if (pool != null) {
            text.append("%s: the mean over seeds, no policy that can run; its intervals are over seeds and episodes.\n"
                    .formatted(pool.name()));
        }
        if (evaluation.reference() == null) {
            text.append("No heuristic took part, so nothing is compared.\n");
        } else {
            if (hasUnshown(evaluation)) {
                text.append("Not shown: the interval excludes zero, but not once corrected for the number of rows.\n");
            }
            text.append("* best heuristic; differences of the mean JCT per episode, paired.\n")
                    .append(opposites(evaluation))
                    .append(verdicts(evaluation));
        }
        String kinds = Schedulers.kinds(
                evaluation.ranking(metric).stream().map(SchedulerScore::name).toList());
        text.append(wrapped(kinds));
        UtilityTable.rejections(evaluation).forEach(sentence -> text.append(wrapped(sentence)));
        evaluation.gains().forEach(gain -> text.append(wrapped(gain.sentence())));
        evaluation.coincidences().forEach(coincidence -> text.append(wrapped(coincidence.sentence())));
        return text.toString();
    }

    /** The schedulers whose mean of ratios and ratio of means lie on different sides of the reference. */
    private static String opposites(Evaluation evaluation) {
        double reference = 0;
        for (SchedulerScore score : evaluation.scores()) {
            reference =
                    score.name().equals(evaluation.reference()) ? score.jct().mean() : reference;
        }
        StringBuilder text = new StringBuilder();
        for (SchedulerScore score : evaluation.scores()) {
            PairedComparison comparison = evaluation.comparison(score.name());
            double ofMeans = 100 * (score.jct().mean() / reference - 1);
            if (comparison != null && ofMeans * comparison.mean() < 0) {
                text.append("%s: %s as the mean over episodes, but %s by the mean JCT over all jobs.\n"
                        .formatted(
                                shortened(score.name(), NAME_WIDTH),
                                number("%+.1f %%", comparison.mean()),
                                number("%+.1f %%", ofMeans)));
            }
        }
        return text.toString();
    }

    /** What the verdicts rest on, or why there are none. */
    private static String verdicts(Evaluation evaluation) {
        StringBuilder text = new StringBuilder();
        if (evaluation.episodes() < PairedComparison.ENOUGH_EPISODES) {
            text.append(evaluation.episodes() == 1 ? "One episode has no interval; a" : "A")
                    .append(" verdict needs at least %d episodes.\n".formatted(PairedComparison.ENOUGH_EPISODES));
        } else if (evaluation.sample().overlapping()) {
            text.append("Windows overlap: no verdict. Test episodes share jobs, so intervals are too narrow.\n");
        } else if (evaluation.comparisons().size() > 1) {
            text.append("Verdicts corrected for %d comparisons by Holm at 5 %%"
                    .formatted(evaluation.comparisons().size()));
            long duels = evaluation.duels().isEmpty()
                    ? 0
                    : evaluation.duels(evaluation.duels().get(0).name());
            if (duels > 0) {
                text.append(", those of a policy for its %d".formatted(duels));
            }
            text.append(".\nIntervals are 95 % each, not corrected.\n");
        }
        return text.toString();
    }

    /** A sentence in lines of at most 100 columns. */
    public static String wrapped(String sentence) {
        return sentence.replaceAll("(.{1,%d})(?: |$)".formatted(WIDTH), "$1\n");
    }

    private static String coloured(String text) {
        return text.replaceAll("(?m)better$", GREEN + "better" + PLAIN).replaceAll("(?m)worse$", RED + "worse" + PLAIN);
    }
}
