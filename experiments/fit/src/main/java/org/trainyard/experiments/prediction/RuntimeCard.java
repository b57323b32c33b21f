package org.trainyard.experiments.prediction;

import java.util.List;
import java.util.Locale;
import org.trainyard.interference.runtimes.ForestSettings;
import org.trainyard.interference.runtimes.RuntimeComparison;
import org.trainyard.interference.runtimes.RuntimeModel;
import org.trainyard.interference.runtimes.RuntimeScore;

/**
 * The model card of a run-time predictor, in Markdown: its data, its settings, and its errors beside those of
 * simpler predictors.
 */
public final class RuntimeCard {
    /** Name of the card's file. */
    public static final String NAME = "card.md";

    /** Below this rank correlation an order by predictions is nearly random; chosen by us. */
    private static final double SIGNAL = 0.3;

    private RuntimeCard() {}

    /** The card, in Markdown; the same bytes for the same fit. */
    public static String markdown(
            List<String> data, long seed, ForestSettings settings, RuntimeModel model, RuntimeComparison comparison) {
        StringBuilder card = new StringBuilder("# Run times of jobs\n\n");
        line(
                card,
                "Data: %s; %,d jobs. The licence of the data applies to the model.",
                String.join(", ", data),
                model.jobs());
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
                "Evaluated on %d chronological splits: fitted on the jobs finished by 50, 60, ... 90 %% of the log, tested on the"
                        + " tenth that is submitted next, %,d jobs in total.",
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
                "Calibration: %.1f %% of the jobs ended within the forest's p50 (ideal: 50), %.1f %% within its p90 (ideal: 90).",
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

    /** One or two sentences on how predictable the log is. */
    public static String verdict(RuntimeComparison comparison) {
        RuntimeScore forest = comparison.score(RuntimeComparison.FOREST);
        RuntimeScore median = comparison.score(RuntimeComparison.MEDIAN);
        RuntimeScore last = comparison.score(RuntimeComparison.LAST);
        StringBuilder said = new StringBuilder();
        if (forest.all().rankCorrelation() < SIGNAL) {
            said.append("This log is hardly predictable: the forest's order of the jobs is nearly random.");
        } else if (forest.all().logRmse() > median.all().logRmse()) {
            said.append(
                    "The forest ranks jobs, but its errors in seconds exceed those of the global median: run times drift.");
        } else {
            said.append("The forest ranks jobs, and its errors in seconds are below those of the global median.");
        }
        if (forest.recurring().jobs() == 0) {
            said.append(" The log has no recurring groups, which are the forest's main feature.");
        } else {
            said.append(
                    forest.recurring().logRmse() < last.recurring().logRmse()
                            ? " On recurring jobs it is better than the last run of the group."
                            : " On recurring jobs the last run of the group is a better predictor.");
        }
        return said.toString();
    }
}
