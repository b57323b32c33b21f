package org.trainyard.experiments.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.env.workload.trace.Trace;
import org.trainyard.env.workload.trace.TraceJob;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.report.RuntimeCard;
import org.trainyard.interference.runtime.ForestSettings;
import org.trainyard.interference.runtime.RuntimeComparison;
import org.trainyard.interference.runtime.RuntimeLog;
import org.trainyard.interference.runtime.RuntimeModel;
import org.trainyard.interference.runtime.RuntimeModelFile;
import org.trainyard.interference.runtime.RuntimeScore;
import org.trainyard.interference.runtime.RuntimeTables;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Fits a forest of run times to traces, judges it on chronological splits and writes it to a folder. */
@Command(
        name = "runtime",
        description = "Fit a random forest of run times to traces, beside simpler predictors on chronological splits.",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard fit runtime --data jobs.csv --out my-runtimes",
            "         trainyard predict runtime --model my-runtimes --user ann --group nightly --gpus 8"
        })
final class FitRuntimeCommand implements Callable<Integer> {
    private static final String GENERATED = "generated";
    private static final int LEAST_JOBS = 100;
    /** The size of the cluster that generated jobs keep busy: it sets how many of them run at once. */
    private static final int CLUSTER_GPUS = 1024;

    @Option(
            names = "--data",
            required = true,
            arity = "1..*",
            paramLabel = "FILE",
            description = "Trace files of one cluster and clock, or `generated`.")
    private List<String> data = List.of();

    @Option(
            names = "--out",
            required = true,
            paramLabel = "DIR",
            description = "Where runtime.model, card.md and runtimes.npz go.")
    private String out = "";

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs of a generated trace (default: ${DEFAULT-VALUE}).")
    private int jobs = 20_000;

    @Option(names = "--seed", paramLabel = "N", description = "Root of all random draws (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Mixin
    private TraceOptions traces = new TraceOptions();

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Override
    public Integer call() {
        RuntimeLog log = RuntimeLog.of(read());
        if (log.size() < LEAST_JOBS) {
            throw InputException.at("--data", "%d jobs".formatted(log.size()), "at least %d".formatted(LEAST_JOBS));
        }
        ForestSettings settings = ForestSettings.DEFAULT;
        RuntimeComparison comparison = RuntimeComparison.of(log, settings, seed);
        RuntimeModel model = RuntimeModel.fit(log, settings, seed);
        Path folder = InputFiles.path(out);
        AtomicFiles.makeFolder(folder);
        Path file = folder.resolve(RuntimeModelFile.NAME);
        AtomicFiles.write(
                folder.resolve(RuntimeCard.NAME), RuntimeCard.markdown(data, seed, settings, model, comparison));
        AtomicFiles.write(folder.resolve(RuntimeTables.NAME), RuntimeTables.npz(log, comparison));
        AtomicFiles.write(file, RuntimeModelFile.bytes(model));
        print(file, model, comparison);
        return CommandLine.ExitCode.OK;
    }

    private List<TraceJob> read() {
        if (jobs < LEAST_JOBS) {
            throw InputException.at("--jobs", jobs, "a whole number, at least %d".formatted(LEAST_JOBS));
        }
        List<TraceJob> all = new ArrayList<>();
        for (String file : data) {
            if (file.equals(GENERATED)) {
                GeneratorSettings like = GeneratorSettings.DEFAULT;
                all.addAll(
                        new TraceGenerator(like.with(jobs, like.offeredLoad(), like.maxGpus()), ModelCatalog.standard())
                                .generate(seed, CLUSTER_GPUS));
                continue;
            }
            Trace trace = traces.read(file);
            if (trace.badLineCount() > 0) {
                common.err()
                        .println("%,d bad lines were left out; the first is %s"
                                .formatted(
                                        trace.badLineCount(), trace.badLines().get(0)));
            }
            all.addAll(trace.jobs());
        }
        return all;
    }

    private void print(Path file, RuntimeModel model, RuntimeComparison comparison) {
        PrintWriter console = common.out();
        console.println("%s: %,d trees with %,d nodes, fitted on %,d jobs"
                .formatted(file, model.trees(), model.nodes(), model.jobs()));
        console.println();
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
        table.print(console);
        console.println();
        console.println("%,d jobs in %d chronological splits; %.1f %% ended by the forest's p50, %.1f %% by its p90."
                .formatted(
                        comparison.scores().get(0).all().jobs(),
                        comparison.splits(),
                        100 * comparison.belowP50(),
                        100 * comparison.belowP90()));
        console.println(RuntimeCard.verdict(comparison));
    }

    private static String recurring(RuntimeScore score, double value) {
        return score.recurring().jobs() == 0 ? "-" : number("%.3f", value);
    }

    private static String number(String format, Object value) {
        return String.format(Locale.ROOT, format, value);
    }
}
