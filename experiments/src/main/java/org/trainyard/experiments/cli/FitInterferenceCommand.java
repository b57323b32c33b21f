package org.trainyard.experiments.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.io.FolderLock;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.prediction.MeasuredFit;
import org.trainyard.experiments.prediction.SimulatedFit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Fits an interference model and writes it to a folder. */
@Command(
        name = "interference",
        description =
                "Fit an interference model to published measurements, or to co-locations measured in the simulator.",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard fit interference --data shared_thp_ratio.csv --data isolated_thp.csv --out my-model",
            "         trainyard train experiments/configs/quickstart.yaml --set belief=my-model",
            "         trainyard fit interference --samples 5000 --noise 0.05 --out imitation"
        })
final class FitInterferenceCommand extends Subcommand {
    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Folder for the model and its card.")
    private String out = "";

    @Option(
            names = "--data",
            paramLabel = "FILE",
            description = "Measurements: files of Gavel, DeepShare or gpu-topo-aware, recognised by their content. "
                    + "Repeatable.")
    private List<String> data = new ArrayList<>();

    @Option(
            names = "--repeat",
            paramLabel = "FILE",
            description = "With --data, a second campaign that measured the same pairs: it is not fitted; the card "
                    + "shows how far it is from the data. Repeatable.")
    private List<String> repeat = new ArrayList<>();

    @Option(
            names = "--architectures",
            paramLabel = "NAME[,NAME]",
            split = ",",
            description = "With --data, fit the pairs of these architectures only, so that other pairs of the same "
                    + "campaign can be the truth of a simulation.")
    private List<String> architectures = new ArrayList<>();

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "With --data, number of cross-validations, each with its own seed; the card shows mean "
                    + "and spread (default: ${DEFAULT-VALUE}).")
    private int seeds = 1;

    @Option(
            names = "--model",
            paramLabel = "KIND",
            description = "With --data, model to fit: process, pressure or forest (default: " + "${DEFAULT-VALUE}).")
    private String model = "process";

    @Option(
            names = "--compare",
            paramLabel = "KIND[,KIND]",
            description = "With --data, models to validate beside it and the baselines: a list, all (slow) or none "
                    + "(default: ${DEFAULT-VALUE}).")
    private String compare = "none";

    @Option(
            names = "--samples",
            paramLabel = "N",
            description = "Without --data, co-locations to measure in the simulator; a fifth is held out for validation"
                    + " (default: ${DEFAULT-VALUE}). The model imitates the analytic interference, so that it is"
                    + " refused as a belief where that is the truth.")
    private int samples = 2000;

    @Option(
            names = "--noise",
            paramLabel = "SIGMA",
            description = "Standard deviation of the natural logarithm of a simulated measurement (default: "
                    + "${DEFAULT-VALUE}).")
    private double noise = 0.03;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of all random draws (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Override
    protected void run() {
        Path folder = InputFiles.path(out);
        FolderLock.during(folder, () -> fit(folder));
    }

    private void fit(Path folder) {
        if (data.isEmpty()) {
            SimulatedFit.run(samples, noise, seed, folder, out());
        } else {
            MeasuredFit.run(
                    new MeasuredFit.Request(data, repeat, architectures, model, compare, seed, seeds), folder, out());
        }
    }
}
