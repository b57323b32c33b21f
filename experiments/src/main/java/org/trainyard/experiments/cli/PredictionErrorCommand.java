package org.trainyard.experiments.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.InputException;
import org.trainyard.experiments.cli.options.ConfigOptions;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.config.yaml.ConfigWriter;
import org.trainyard.experiments.evaluation.PredictionErrorCurve;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.FolderLock;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.report.PredictionErrorReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Measures how errors of predicted run times change the mean JCT of schedulers on the test episodes of an experiment.
 */
@Command(
        name = "prediction-error",
        description = "Measure how errors of predicted run times change the mean JCT of schedulers.",
        sortOptions = false,
        footer = {"", "Example: trainyard prediction-error experiments/configs/prediction-error.yaml --sigma 0,0.3,1"})
final class PredictionErrorCommand extends Subcommand {
    @Parameters(paramLabel = "CONFIG", description = "Experiment, a YAML file; its `runtime` is not used.")
    private String config = "";

    @Option(
            names = "--sigma",
            split = ",",
            paramLabel = "SIGMA",
            description = "Errors to try: standard deviations of the natural logarithm of predicted over true run "
                    + "time (default: 0,0.1,0.3,0.6,1,2).")
    private List<Double> sigmas = List.of(0.0, 0.1, 0.3, 0.6, 1.0, 2.0);

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Override
    protected void run() {
        ExperimentConfig settings = options.read(config);
        settings.schedulers().forEach(name -> Schedulers.named("schedulers", name));
        PredictionErrorCurve curve = PredictionErrorCurve.measure(settings, ascending());
        print(settings, curve);
        write(settings, curve);
    }

    private List<Double> ascending() {
        for (double sigma : sigmas) {
            if (!(sigma >= 0 && sigma <= 10)) {
                throw InputException.at("--sigma", sigma, "a number in 0..10");
            }
        }
        return sigmas.stream().distinct().sorted().toList();
    }

    private void print(ExperimentConfig settings, PredictionErrorCurve curve) {
        PrintWriter out = out();
        out.println("%s: mean JCT by predictor of run times, %d test episodes"
                .formatted(settings.name(), settings.episodes().test()));
        out.println();
        List<String> header = new ArrayList<>(List.of("predictor"));
        header.addAll(curve.schedulers());
        TextTable table = new TextTable(header.toArray(String[]::new));
        for (PredictionErrorCurve.Source source : curve.sources()) {
            List<String> cells = new ArrayList<>(List.of(source.name()));
            source.meanJctSeconds().forEach(seconds -> cells.add(Durations.human(seconds)));
            table.add(cells.toArray(String[]::new));
        }
        table.print(out);
    }

    private void write(ExperimentConfig settings, PredictionErrorCurve curve) {
        Path folder = options.folder(settings.name());
        FolderLock.during(folder, () -> write(settings, curve, folder));
    }

    private void write(ExperimentConfig settings, PredictionErrorCurve curve, Path folder) {
        String yaml = ConfigWriter.yaml(settings);
        AtomicFiles.write(folder.resolve("config.yaml"), yaml);
        AtomicFiles.write(folder.resolve("prediction-error.csv"), PredictionErrorReport.csv(curve));
        Path report = folder.resolve("report.html");
        AtomicFiles.write(report, PredictionErrorReport.html(settings.name(), yaml, curve));
        out().println();
        out().println("report: %s".formatted(report));
    }
}
