package org.trainyard.experiments.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.run.DecisionCost;
import org.trainyard.experiments.run.Durations;

/** An evaluation as two tables of at most 100 columns, best scheduler first. */
public final class ConsoleTable {
    private static final int NAME_WIDTH = 24;
    private static final String GAP = "  ";
    private static final String GREEN = "\u001b[32m";
    private static final String RED = "\u001b[31m";
    private static final String PLAIN = "\u001b[0m";

    private ConsoleTable() {}

    /**
     * The tables, each line ended by a newline.
     *
     * @param colours whether the verdicts may be coloured: on terminals only
     */
    public static String render(Evaluation evaluation, boolean colours) {
        List<String[]> times = new ArrayList<>();
        times.add(new String[] {"scheduler", "mean JCT", "seconds", "median", "p95", "p99", "queueing"});
        List<String[]> rest = new ArrayList<>();
        rest.add(new String[] {"scheduler", "makespan", "slowdown", "GPUs", "preempt", "vs best *", "95 % interval", ""
        });
        for (SchedulerScore score : evaluation.ranking()) {
            times.add(times(evaluation, score));
            rest.add(rest(evaluation, score));
        }
        String text = layout(times) + "\n" + layout(rest) + "\n" + duels(evaluation) + footnotes(evaluation);
        return colours ? coloured(text) : text;
    }

    private static String[] times(Evaluation evaluation, SchedulerScore score) {
        SchedulerScore.Jct jct = score.jct();
        return new String[] {
            name(evaluation, score),
            Durations.human(jct.mean()),
            number("%.1f", jct.mean()),
            Durations.human(jct.median()),
            Durations.human(jct.p95()),
            Durations.human(jct.p99()),
            Durations.human(score.queueingDelayMean())
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
            comparison == null ? word(evaluation, score) : comparison.verdict().word()
        };
    }

    /**
     * What each scheduler cost, the dearest first, as a table of its own: processor times, which differ from run to run.
     */
    public static String costs(List<DecisionCost> costs) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"scheduler", "processor", "deciding", "calls", "us/call", "us/job"});
        costs.stream()
                .sorted(Comparator.comparingDouble(DecisionCost::runSeconds).reversed())
                .forEach(cost -> rows.add(new String[] {
                    shortened(cost.scheduler(), NAME_WIDTH),
                    number("%.2f s", cost.runSeconds()),
                    number("%.2f s", cost.decidingSeconds()),
                    Long.toString(cost.calls()),
                    number("%.1f", cost.microsecondsPerCall()),
                    number("%.0f", cost.microsecondsPerJob())
                }));
        return layout(rows)
                + "Processor time of all episodes, simulation and predictions included; and of decisions alone.\n";
    }

    /** How each trained policy fares against each other scheduler; nothing when there is none. */
    private static String duels(Evaluation evaluation) {
        if (evaluation.duels().isEmpty()) {
            return "";
        }
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"policy", "against", "mean JCT", "95 % interval", ""});
        for (PairedComparison duel : evaluation.duels()) {
            rows.add(new String[] {
                shortened(duel.name(), NAME_WIDTH),
                shortened(duel.reference(), NAME_WIDTH),
                number("%+.1f %%", duel.mean()),
                interval(duel.interval()),
                duel.verdict().word()
            });
        }
        return layout(rows) + "\n";
    }

    private static String word(Evaluation evaluation, SchedulerScore score) {
        return score.name().equals(evaluation.reference()) ? "reference" : "";
    }

    private static String interval(PairedComparison.@Nullable Interval interval) {
        return interval == null ? "undefined" : number("%+.1f .. %+.1f %%", interval.low(), interval.high());
    }

    private static String name(Evaluation evaluation, SchedulerScore score) {
        String mark = score.name().equals(evaluation.reference()) ? " *" : "";
        int room = NAME_WIDTH - mark.length();
        return shortened(score.name(), room) + mark;
    }

    /** Long names lose their middle: variants of a scheduler differ at the end. */
    private static String shortened(String name, int room) {
        if (name.length() <= room) {
            return name;
        }
        int tail = room / 2;
        return name.substring(0, room - 1 - tail) + "…" + name.substring(name.length() - tail);
    }

    private static String footnotes(Evaluation evaluation) {
        StringBuilder text = new StringBuilder();
        text.append("%d episode%s, %d jobs in all; queueing and slowdown are means over jobs.\n"
                .formatted(
                        evaluation.episodes(),
                        evaluation.episodes() == 1 ? "" : "s",
                        evaluation.scores().get(0).jobs()));
        if (evaluation.reference() == null) {
            return text.append("No heuristic took part, so nothing is compared.\n")
                    .toString();
        }
        text.append("* best heuristic; differences of the mean JCT per episode, paired.\n");
        if (evaluation.episodes() < PairedComparison.ENOUGH_EPISODES) {
            text.append(evaluation.episodes() == 1 ? "One episode has no interval; a" : "A")
                    .append(" verdict needs at least %d episodes.\n".formatted(PairedComparison.ENOUGH_EPISODES));
        }
        return text.toString();
    }

    /** Columns as wide as their widest cell; the first and an untitled last one to the left, the others to the right. */
    private static String layout(List<String[]> rows) {
        String[] header = rows.get(0);
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < header.length; column++) {
                boolean left = column == 0 || header[column].isEmpty();
                line.append(column == 0 ? "" : GAP).append(padded(row[column], width(rows, column), left));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static int width(List<String[]> rows, int column) {
        return rows.stream().mapToInt(row -> row[column].length()).max().orElse(0);
    }

    private static String padded(String cell, int width, boolean left) {
        String padding = " ".repeat(width - cell.length());
        return left ? cell + padding : padding + cell;
    }

    private static String coloured(String text) {
        return text.replaceAll("(?m)better$", GREEN + "better" + PLAIN).replaceAll("(?m)worse$", RED + "worse" + PLAIN);
    }

    private static String number(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
