package org.trainyard.experiments.report;

import java.util.List;
import java.util.Locale;
import org.trainyard.interference.runtime.ForestSettings;
import org.trainyard.interference.runtime.RuntimeComparison;
import org.trainyard.interference.runtime.RuntimeModel;
import org.trainyard.interference.runtime.RuntimeScore;

/** The card of a fitted run-time model: what it was fitted on, how, and how wrong it is beside simpler predictors. */
public final class RuntimeCard {
    /** What the card is called in the folder of a fit. */
    public static final String NAME = "card.md";

    /** Below this rank correlation a scheduler that sorts by the guess sorts nearly at random; chosen by us. */
    private static final double SIGNAL = 0.3;

    private RuntimeCard() {}

    /** The card, in Markdown; the same bytes for the same fit. */
    public static String markdown(
            List<String> data, long seed, ForestSettings settings, RuntimeModel model, RuntimeComparison comparison) {
        StringBuilder card = new StringBuilder("# Run times of jobs\n\n");
        line(card, "Data: %s; %,d jobs. The licence is that of the data.", String.join(", ", data), model.jobs());
        line(
                card,
                "Forest: %d trees of at most %d levels, at least %d jobs in a leaf, %d features at a split; seed %d.",
                settings.trees(),
                settings.deepest(),
                settings.leastLeaf(),
                settings.featuresPerSplit(),
                seed);
        line(
                card,
                "Judged on %d chronological splits: fitted on the jobs over by 50, 60, ... 90 %% of the log, tried on the"
                        + " tenth submitted next, %,d jobs in all.",
                comparison.splits(),
                comparison.scores().get(0).all().jobs());
        card.append("""
                | predictor | rank correlation | median error | MAPE | RMSE of ln | recurring: jobs | rank correlation | median error | RMSE of ln |
                |---|---|---|---|---|---|---|---|---|
                """);
        for (RuntimeScore score : comparison.scores()) {
            row(card, score);
        }
        card.append('\n');
        line(
                card,
                "%.1f %% of the jobs ended by the forest's p50 (50 would be right), %.1f %% by its p90 (90 would be).",
                100 * comparison.belowP50(),
                100 * comparison.belowP90());
        line(card, "%s", verdict(comparison));
        return card.toString();
    }

    private static void row(StringBuilder card, RuntimeScore score) {
        RuntimeScore.Errors all = score.all();
        RuntimeScore.Errors recurring = score.recurring();
        card.append(String.format(
                Locale.ROOT,
                "| %s | %.3f | %.1f %% | %.0f %% | %.3f | %,d | %.3f | %.1f %% | %.3f |%n",
                score.predictor(),
                all.rankCorrelation(),
                100 * all.medianApe(),
                100 * all.mape(),
                all.logRmse(),
                recurring.jobs(),
                recurring.rankCorrelation(),
                100 * recurring.medianApe(),
                recurring.logRmse()));
    }

    private static void line(StringBuilder card, String format, Object... values) {
        card.append(String.format(Locale.ROOT, format, values)).append("\n\n");
    }

    /** A sentence or two on whether the log has anything to learn. */
    public static String verdict(RuntimeComparison comparison) {
        RuntimeScore forest = comparison.score(RuntimeComparison.FOREST);
        RuntimeScore median = comparison.score(RuntimeComparison.MEDIAN);
        RuntimeScore last = comparison.score(RuntimeComparison.LAST);
        StringBuilder said = new StringBuilder();
        if (forest.all().rankCorrelation() < SIGNAL) {
            said.append("This log has hardly any signal: the forest's order of the jobs is nearly a random one.");
        } else if (forest.all().logRmse() > median.all().logRmse()) {
            said.append("The forest sorts jobs, but its seconds are worse than the global median's: run times drift.");
        } else {
            said.append("The forest sorts jobs, and its seconds are better than the global median's.");
        }
        if (forest.recurring().jobs() == 0) {
            said.append(" No group of the log recurs (or it names none), which is what the forest lives on.");
        } else {
            said.append(
                    forest.recurring().logRmse() < last.recurring().logRmse()
                            ? " On recurring jobs it beats their group's last run."
                            : " On recurring jobs their group's last run says more.");
        }
        return said.toString();
    }
}
