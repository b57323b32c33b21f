package org.trainyard.experiments.prediction;

import static org.trainyard.experiments.io.CellFormat.number;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.interference.runtime.ForestSettings;
import org.trainyard.interference.runtimes.ReplayedLog;
import org.trainyard.interference.runtimes.RuntimeComparison;
import org.trainyard.interference.runtimes.RuntimeLog;
import org.trainyard.interference.runtimes.RuntimeModel;
import org.trainyard.interference.runtimes.RuntimeModelFile;
import org.trainyard.interference.runtimes.RuntimeScore;
import org.trainyard.interference.runtimes.RuntimeTables;

/** Fits a random forest of run times to traces, validates it on their later half and writes it to a folder. */
public final class RuntimeFit {
    private static final int LEAST_JOBS = 100;
    /** GPUs of the cluster that a generated trace is drawn for. */
    private static final int CLUSTER_GPUS = 1024;

    private RuntimeFit() {}

    public static List<TraceJob> generated(int jobs, long seed) {
        InputException.within(LEAST_JOBS, Integer.MAX_VALUE, "--jobs", jobs);
        return new TraceGenerator(GeneratorSettings.DEFAULT, jobs, ModelCatalog.standard())
                .generate(seed, CLUSTER_GPUS);
    }

    /**
     * Fits, validates, writes model, card and tables, and prints the validation.
     *
     * @param sources names of the traces, for the card
     */
    public static void run(List<TraceJob> jobs, List<String> sources, long seed, Path folder, PrintWriter out) {
        RuntimeLog log = RuntimeLog.of(jobs);
        if (log.size() < LEAST_JOBS) {
            throw InputException.at("--data", Counted.of(log.size(), "job"), "at least %d".formatted(LEAST_JOBS));
        }
        ForestSettings settings = ForestSettings.DEFAULT;
        ReplayedLog replayed = ReplayedLog.of(log, settings, seed);
        RuntimeComparison comparison = RuntimeComparison.of(replayed);
        RuntimeModel model = RuntimeModel.fit(replayed);
        AtomicFiles.makeFolder(folder);
        Path file = folder.resolve(RuntimeModelFile.NAME);
        AtomicFiles.write(
                folder.resolve(RuntimeCard.NAME), RuntimeCard.markdown(sources, seed, settings, model, comparison));
        AtomicFiles.write(folder.resolve(RuntimeTables.NAME), RuntimeTables.npz(replayed, comparison));
        AtomicFiles.write(file, RuntimeModelFile.bytes(model));
        answer(file, model, comparison).print(out);
    }

    private static Answer answer(Path file, RuntimeModel model, RuntimeComparison comparison) {
        return new Answer()
                .tell(
                        "%s: %,d trees with %,d nodes, fitted on %,d jobs",
                        file, model.forest().trees(), model.forest().nodes(), model.jobs())
                .gap()
                .table(AnswerTable.of(comparison.scores())
                        .text("predictor", RuntimeScore::predictor)
                        .number("rank corr.", "%.3f", score -> score.all().rankCorrelation())
                        .number("median err.", "x%.2f", score -> score.all().medianFactor())
                        .number("RMSE(ln)", "%.3f", score -> score.all().logRmse())
                        .count("| recurring", score -> score.recurring().jobs())
                        .text(
                                "rank corr.",
                                score -> recurring(score, score.recurring().rankCorrelation()))
                        .text(
                                "RMSE(ln)",
                                score -> recurring(score, score.recurring().logRmse())))
                .gap()
                .tell(
                        "%,d jobs, the later half; %.1f %% ended by the forest's p50, %.1f %% by its p90.",
                        comparison.scores().get(0).all().jobs(),
                        100 * comparison.belowP50(),
                        100 * comparison.belowP90())
                .say(RuntimeCard.verdict(comparison));
    }

    private static String recurring(RuntimeScore score, double value) {
        return score.recurring().jobs() == 0 ? "-" : number("%.3f", value);
    }

    /**
     * The model card of a run-time predictor, in Markdown: its data, its settings, and its errors beside those of
     * simpler predictors.
     */
    private static final class RuntimeCard {
        /** Name of the card's file. */
        static final String NAME = "card.md";

        /** Rank correlation below which an order by predictions is nearly random; chosen by us. */
        private static final double SIGNAL = 0.3;

        private RuntimeCard() {}

        /** The card, in Markdown; the same bytes for the same fit. */
        static String markdown(
                List<String> data,
                long seed,
                ForestSettings settings,
                RuntimeModel model,
                RuntimeComparison comparison) {
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
                    "Evaluated on the later half, %,d jobs in total, each predicted at its submission from the jobs finished by then.",
                    comparison.scores().get(0).all().jobs());
            card.append(AnswerTable.of(comparison.scores())
                    .text("predictor", RuntimeScore::predictor)
                    .number("rank correlation", "%.3f", score -> score.all().rankCorrelation())
                    .number("median factor", "x%.2f", score -> score.all().medianFactor())
                    .column("MAPE", CellFormat.percent(0), score -> score.all().mape())
                    .number("RMSE of ln", "%.3f", score -> score.all().logRmse())
                    .count("recurring: jobs", score -> score.recurring().jobs())
                    .number(
                            "rank correlation",
                            "%.3f",
                            score -> score.recurring().rankCorrelation())
                    .number("median factor", "x%.2f", score -> score.recurring().medianFactor())
                    .number("RMSE of ln", "%.3f", score -> score.recurring().logRmse())
                    .markdown("---|---|---|---|---|---|---|---|---"));
            card.append('\n');
            line(
                    card,
                    "Calibration: %.1f %% of the jobs ended within the forest's p50 (ideal: 50), %.1f %% within its p90 (ideal: 90).",
                    100 * comparison.belowP50(),
                    100 * comparison.belowP90());
            line(card, "%s", verdict(comparison));
            return card.toString();
        }

        private static void line(StringBuilder card, String format, Object... values) {
            card.append(Counted.say(format, values)).append("\n\n");
        }

        /** Sentences, one or two, on how predictable the log is. */
        static String verdict(RuntimeComparison comparison) {
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
}
