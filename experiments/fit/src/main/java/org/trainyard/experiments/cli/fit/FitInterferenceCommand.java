package org.trainyard.experiments.cli.fit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.SeedOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.io.FolderLock;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.prediction.MeasuredFit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Fits an interference model and writes it to a folder. */
@Command(
        name = "interference",
        description = "Fit an interference model to published measurements.",
        footer = {
            "",
            "Example: trainyard fit interference --data shared_thp_ratio.csv --data isolated_thp.csv --out my-model",
            "         trainyard train experiments/configs/quickstart.yaml --set belief=my-model"
        })
public final class FitInterferenceCommand extends Subcommand {
    @Mixin
    private CommonOption out =
            CommonOption.out("Folder for the model and its card.").required();

    @Option(
            names = "--data",
            required = true,
            paramLabel = "FILE",
            description = "Measurements: files of Gavel, DeepShare or gpu-topo-aware, recognised by their content. "
                    + "Repeatable.")
    private List<String> data = new ArrayList<>();

    @Option(
            names = "--repeat",
            paramLabel = "FILE",
            description = "A second campaign of the same pairs, for the card's distance to it; it is not fitted. "
                    + "Repeatable.")
    private List<String> repeat = new ArrayList<>();

    @Option(
            names = "--architectures",
            paramLabel = "NAME[,NAME]",
            split = ",",
            description = "Fit the pairs of these architectures only, so that other pairs can be the truth of a "
                    + "simulation.")
    private List<String> architectures = new ArrayList<>();

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Number of cross-validations with different seeds; the card shows mean and spread "
                    + "(default: ${DEFAULT-VALUE}).")
    private int seeds = 1;

    @Option(
            names = "--model",
            paramLabel = "KIND",
            description = "Model to fit: process or pressure (default: ${DEFAULT-VALUE}).")
    private String model = "process";

    @Option(
            names = "--compare",
            paramLabel = "KIND[,KIND]",
            description = "Models to validate beside it and the baselines: a list, all (slow) or none "
                    + "(default: ${DEFAULT-VALUE}).")
    private String compare = "none";

    @Mixin
    private SeedOption seed = new SeedOption();

    @Override
    protected void run() {
        Path folder = InputFiles.path(out.text());
        FolderLock.during(folder, () -> fit(folder));
    }

    private void fit(Path folder) {
        MeasuredFit.run(
                new MeasuredFit.Request(data, repeat, architectures, model, compare, seed.value(), seeds),
                folder,
                out());
    }
}
