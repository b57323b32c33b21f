package org.trainyard.experiments.cli.fit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.SeedOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.cli.simulate.TraceOptions;
import org.trainyard.experiments.io.FolderLock;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.prediction.RuntimeFit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Fits a random forest of run times to traces and writes it to a folder. */
@Command(
        name = "runtime",
        description = "Fit a random forest of run times to traces and validate it against simpler predictors.",
        footer = {
            "",
            "Example: trainyard fit runtime --data jobs.csv --out my-runtimes",
            "         trainyard predict runtime --model my-runtimes --user ann --group nightly --gpus 8"
        })
public final class FitRuntimeCommand extends Subcommand {
    private static final String GENERATED = "generated";

    @Option(
            names = "--data",
            required = true,
            arity = "1..*",
            paramLabel = "FILE",
            description = "Trace files of one cluster with a common clock, or `generated`.")
    private List<String> data = List.of();

    @Mixin
    private CommonOption out = CommonOption.out("Folder for runtime.model, card.md and runtimes.npz.")
            .required();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Number of jobs of a generated trace (default: ${DEFAULT-VALUE}).")
    private int jobs = 20_000;

    @Mixin
    private SeedOption seed = new SeedOption();

    @Mixin
    private TraceOptions traces = new TraceOptions();

    @Override
    protected void run() {
        List<TraceJob> all = new ArrayList<>();
        for (String file : data) {
            all.addAll(file.equals(GENERATED) ? RuntimeFit.generated(jobs, seed.value()) : read(file));
        }
        Path folder = InputFiles.path(out.text());
        FolderLock.during(folder, () -> RuntimeFit.run(all, data, seed.value(), folder, out()));
    }

    private List<TraceJob> read(String file) {
        return traces.read(file, err()).jobs();
    }
}
