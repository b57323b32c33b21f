package org.trainyard.experiments.report;

import static org.trainyard.experiments.io.TextTable.number;
import static org.trainyard.experiments.io.TextTable.shortened;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.metrics.UtilityFigures;

/** The utilities of an evaluation as a text table, and its rejections in sentences. */
public final class UtilityTable {
    private static final int NAME_WIDTH = 24;

    private UtilityTable() {}

    /** The utilities, the largest total first, with an empty line at the end; empty when no job has one. */
    public static String render(Evaluation evaluation) {
        List<SchedulerScore> scores = evaluation.scores().stream()
                .filter(score -> score.figures().utility() != null)
                .sorted(Comparator.comparingDouble(score -> -utility(score).total()))
                .toList();
        if (scores.isEmpty()) {
            return "";
        }
        TextTable rows = new TextTable("scheduler", "total utility", "95 % interval", "regret", "admitted", "gaining");
        for (SchedulerScore score : scores) {
            UtilityFigures utility = utility(score);
            Double width = utility.interval();
            Double regret = utility.regret();
            rows.add(
                    shortened(score.name(), NAME_WIDTH),
                    number("%.2f", utility.total()),
                    width == null
                            ? "undefined"
                            : number("%.2f .. %.2f", utility.total() - width, utility.total() + width),
                    regret == null ? "" : number("%.1f %%", 100 * regret),
                    number("%.1f %%", 100 * utility.admitted()),
                    number("%.1f %%", 100 * utility.gaining()));
        }
        return rows.render()
                + "Total utility: mean over episodes of the sum over jobs; that of a rejected job is 0.\nA gaining job has a utility above 0.\n"
                + "Regret: what the total lacks of an upper bound for any schedule that sees all jobs beforehand.\n\n";
    }

    private static UtilityFigures utility(SchedulerScore score) {
        return Objects.requireNonNull(score.figures().utility());
    }

    /** A sentence on each scheduler that rejected jobs, or under which jobs were killed at their time limits. */
    public static List<String> rejections(Evaluation evaluation) {
        Stream<String> rejected = evaluation.runs().stream()
                .filter(run -> run.rejected() > 0)
                .map(run -> "%s rejected %d job%s; its times are those of the others, and do not compare."
                        .formatted(shortened(run.name(), NAME_WIDTH), run.rejected(), run.rejected() == 1 ? "" : "s"));
        Stream<String> timedOut = evaluation.runs().stream()
                .filter(run -> run.timedOut() > 0)
                .map(run -> "%s: %d of %d jobs were killed at their time limits, and count with their times until then."
                        .formatted(
                                shortened(run.name(), NAME_WIDTH),
                                run.timedOut(),
                                run.jobs().size()));
        return Stream.concat(rejected, timedOut).toList();
    }
}
