package org.trainyard.experiments.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.prediction.MeasuredFit;
import org.trainyard.interference.profiling.FitErrors;
import org.trainyard.interference.profiling.PressureFile;
import org.trainyard.interference.profiling.PressureFit;
import org.trainyard.interference.profiling.ProfilingCampaign;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Fits a predictor and writes it to a folder. */
@Command(
        name = "interference",
        description =
                "Fit a predictor of interference to published measurements, or to co-locations measured in the simulator.",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard fit interference --data shared_thp_ratio.csv --data isolated_thp.csv --out my-model",
            "         trainyard fit interference --samples 5000 --noise 0.05 --out my-model",
            "         trainyard train experiments/configs/quickstart.yaml --set belief=my-model/interference.json"
        })
final class FitInterferenceCommand implements Callable<Integer> {
    private static final String FILE = "interference.json";

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Where the model and its card go.")
    private @Nullable String out;

    @Option(
            names = "--data",
            paramLabel = "FILE",
            description =
                    "Measurements: Gavel's, DeepShare's or gpu-topo-aware's files, recognised by content; may be repeated.")
    private List<String> data = new ArrayList<>();

    @Option(
            names = "--repeat",
            paramLabel = "FILE",
            description =
                    "With --data, another campaign of the same pairs: not fitted, only how far it is from the data goes into the card; may be repeated.")
    private List<String> repeat = new ArrayList<>();

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description =
                    "With --data, cross-validations, each with the next seed; the card has mean and spread (default: ${DEFAULT-VALUE}).")
    private int seeds = 1;

    @Option(
            names = "--model",
            paramLabel = "KIND",
            description =
                    "With --data, what to fit: process, pressure, network, forest, blend (default: ${DEFAULT-VALUE}).")
    private String model = "process";

    @Option(
            names = "--compare",
            paramLabel = "KIND[,KIND]",
            description =
                    "With --data, what to judge beside it and the baselines: kinds, all for the complete card (slow), or none (default: ${DEFAULT-VALUE}).")
    private String compare = "none";

    @Option(
            names = "--samples",
            paramLabel = "N",
            description = "Co-locations to measure; a fifth is held out to judge the fit (default: ${DEFAULT-VALUE}).")
    private int samples = 2000;

    @Option(
            names = "--noise",
            paramLabel = "SIGMA",
            description = "Standard deviation of the logarithm of a measurement (default: ${DEFAULT-VALUE}).")
    private double noise = 0.03;

    @Option(names = "--seed", paramLabel = "N", description = "Root of all random draws (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Override
    public Integer call() {
        if (!data.isEmpty()) {
            MeasuredFit.run(
                    new MeasuredFit.Wish(data, repeat, model, compare, seed, seeds),
                    InputFiles.path(String.valueOf(out)),
                    common.out());
            return CommandLine.ExitCode.OK;
        }
        if (samples < 50) {
            throw InputException.at("--samples", samples, "at least 50");
        }
        if (!(noise >= 0 && noise <= 1)) {
            throw InputException.at("--noise", noise, "a number in 0..1");
        }
        ProfilingCampaign campaign = new ProfilingCampaign(
                ModelCatalog.standard().profiles(), ServerSpec.ofV100(8), AnalyticInterference.DEFAULT, noise);
        PressureFit.Fitted fitted = PressureFit.fit(campaign.measure(samples, seed), seed);
        Path folder = InputFiles.path(String.valueOf(out));
        AtomicFiles.makeFolder(folder);
        Path file = folder.resolve(FILE);
        PressureFile.save(fitted, file);
        FitErrors errors = fitted.errors();
        common.out()
                .println("%s: fitted on %,d co-locations, judged on %,d others"
                        .formatted(file, fitted.samples(), errors.samples()));
        common.out().println("          RMSE   MAPE   rank correlation");
        common.out()
                .println("fitted    %.3f  %.1f %%  %.3f"
                        .formatted(errors.rmse(), 100 * errors.mape(), errors.rankCorrelation()));
        common.out().println("the mean  %.3f  %.1f %%".formatted(errors.meanRmse(), 100 * errors.meanMape()));
        return CommandLine.ExitCode.OK;
    }
}
