package org.trainyard.experiments.prediction;

import static org.trainyard.experiments.io.TextTable.number;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.interference.runtimes.ForestSettings;
import org.trainyard.interference.runtimes.RuntimeComparison;
import org.trainyard.interference.runtimes.RuntimeLog;
import org.trainyard.interference.runtimes.RuntimeModel;
import org.trainyard.interference.runtimes.RuntimeModelFile;
import org.trainyard.interference.runtimes.RuntimeScore;
import org.trainyard.interference.runtimes.RuntimeTables;

/** Fits a random forest of run times to traces, validates it on chronological splits and writes it to a folder. */
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
            throw InputException.at("--data", "%d jobs".formatted(log.size()), "at least %d".formatted(LEAST_JOBS));
        }
        ForestSettings settings = ForestSettings.DEFAULT;
        RuntimeComparison comparison = RuntimeComparison.of(log, settings, seed);
        RuntimeModel model = RuntimeModel.fit(log, settings, seed);
        AtomicFiles.makeFolder(folder);
        Path file = folder.resolve(RuntimeModelFile.NAME);
        AtomicFiles.write(
                folder.resolve(RuntimeCard.NAME), RuntimeCard.markdown(sources, seed, settings, model, comparison));
        AtomicFiles.write(folder.resolve(RuntimeTables.NAME), RuntimeTables.npz(log, comparison));
        AtomicFiles.write(file, RuntimeModelFile.bytes(model));
        print(file, model, comparison, out);
    }

    private static void print(Path file, RuntimeModel model, RuntimeComparison comparison, PrintWriter out) {
        out.println("%s: %,d trees with %,d nodes, fitted on %,d jobs"
                .formatted(file, model.trees(), model.nodes(), model.jobs()));
        out.println();
        TextTable table = new TextTable(
                "predictor", "rank corr.", "median err.", "RMSE(ln)", "| recurring", "rank corr.", "RMSE(ln)");
        for (RuntimeScore score : comparison.scores()) {
            table.add(
                    score.predictor(),
                    number("%.3f", score.all().rankCorrelation()),
                    number("%.1f %%", 100 * score.all().medianApe()),
                    number("%.3f", score.all().logRmse()),
                    number("%,d", score.recurring().jobs()),
                    recurring(score, score.recurring().rankCorrelation()),
                    recurring(score, score.recurring().logRmse()));
        }
        table.print(out);
        out.println();
        out.println("%,d jobs in %d chronological splits; %.1f %% ended by the forest's p50, %.1f %% by its p90."
                .formatted(
                        comparison.scores().get(0).all().jobs(),
                        comparison.splits(),
                        100 * comparison.belowP50(),
                        100 * comparison.belowP90()));
        out.println(RuntimeCard.verdict(comparison));
    }

    private static String recurring(RuntimeScore score, double value) {
        return score.recurring().jobs() == 0 ? "-" : number("%.3f", value);
    }
}
