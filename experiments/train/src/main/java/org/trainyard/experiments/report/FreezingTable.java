package org.trainyard.experiments.report;

import static org.trainyard.experiments.io.TextTable.number;
import static org.trainyard.experiments.io.TextTable.shortened;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.metrics.FreezingFigures;

/** The accuracy penalties of an evaluation beside its mean JCTs, as a text table. */
public final class FreezingTable {
    private static final int NAME_WIDTH = 24;

    private FreezingTable() {}

    /**
     * The penalties, the least mean JCT first, with an empty line at the end; empty when no job allows frozen layers.
     */
    public static String render(Evaluation evaluation) {
        List<SchedulerScore> scores = evaluation.scores().stream()
                .filter(score -> score.figures().freezing() != null)
                .sorted(Comparator.comparingDouble(score -> score.jct().mean()))
                .toList();
        if (scores.isEmpty()) {
            return "";
        }
        TextTable rows =
                new TextTable("scheduler", "mean JCT", "accuracy penalty", "most", "with frozen layers", "of jobs");
        for (SchedulerScore score : scores) {
            FreezingFigures freezing = Objects.requireNonNull(score.figures().freezing());
            rows.add(
                    shortened(score.name(), NAME_WIDTH),
                    Durations.human(score.jct().mean()),
                    number("%.3f %%", 100 * freezing.mean()),
                    number("%.3f %%", 100 * freezing.most()),
                    number("%.1f %%", 100 * freezing.frozen()),
                    number("%,d", freezing.jobs()));
        }
        return rows.render()
                + "Accuracy penalty: the mean over a job's time of the gradient energy in its frozen layers; mean over the jobs that\n"
                + "allow frozen layers, and the greatest of them. A shorter JCT at a greater penalty is no better schedule.\n\n";
    }
}
