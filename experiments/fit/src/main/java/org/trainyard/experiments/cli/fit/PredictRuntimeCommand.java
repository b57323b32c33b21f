package org.trainyard.experiments.cli.fit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.prediction.RuntimeGuessesCsv;
import org.trainyard.interference.runtime.RuntimeGuess;
import org.trainyard.interference.runtimes.RuntimeLog;
import org.trainyard.interference.runtimes.RuntimeModel;
import org.trainyard.interference.runtimes.RuntimeModelFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Predicts the run time of one job, or of every job in a CSV file, with a fitted model. */
@Command(
        name = "runtime",
        description = "Predict run times of jobs from what is known when they are submitted.",
        footer = {
            "",
            "Example: trainyard predict runtime --model my-runtimes --user ann --group nightly --gpus 8",
            "         trainyard predict runtime --model my-runtimes --jobs new.csv --out guesses.csv"
        })
public final class PredictRuntimeCommand extends Subcommand {
    private static final int MOST_GPUS = 1_000_000;

    @Option(names = "--model", required = true, paramLabel = "DIR", description = "Folder written by `fit runtime`.")
    private String model = "";

    @Option(names = "--gpus", paramLabel = "N", description = "Number of GPUs of the job (default: ${DEFAULT-VALUE}).")
    private int gpus = 1;

    @Option(names = "--name", paramLabel = "NAME", description = "Name of the job.")
    private String name = "job";

    @Option(names = "--user", paramLabel = "NAME", description = "User who submits it.")
    private @Nullable String user;

    @Option(names = "--group", paramLabel = "NAME", description = "Group of recurring jobs that it belongs to.")
    private @Nullable String group;

    @Option(names = "--trains", paramLabel = "NAME", description = "Model that it trains.")
    private @Nullable String trains;

    @Option(names = "--virtual-cluster", paramLabel = "NAME", description = "Virtual cluster that it is submitted to.")
    private @Nullable String virtualCluster;

    @Option(
            names = "--submit",
            paramLabel = "SECONDS",
            description = "Submit time on the clock of the fitted trace (default: 0).")
    private double submitSeconds;

    @Option(
            names = "--jobs",
            paramLabel = "FILE",
            description = "CSV file of jobs to predict instead: column gpus and optionally job, submit_s, model, "
                    + "user, group, virtual_cluster.")
    private @Nullable String jobs;

    @Mixin
    private CommonOption out =
            CommonOption.outFile("With --jobs: write the rows with columns seconds, p50_s and p90_s to this file.");

    @Override
    protected void run() {
        if ((jobs == null) != (out.value() == null)) {
            throw new InputException("predict runtime: --jobs FILE and --out FILE belong together");
        }
        Path place = InputFiles.path(model);
        RuntimeModel fitted =
                RuntimeModelFile.load(Files.isDirectory(place) ? place.resolve(RuntimeModelFile.NAME) : place);
        Path guesses = out.path();
        if (jobs != null && guesses != null) {
            int rows = RuntimeGuessesCsv.write(fitted, InputFiles.path(jobs), guesses);
            out().println(Counted.say("%s: %,d jobs", out.value(), rows));
            return;
        }
        RuntimeGuess guess = fitted.guess(RuntimeLog.job(0, job()));
        out().println("guess  " + shown(guess.seconds()));
        out().println("p50    " + shown(guess.p50()));
        out().println("p90    " + shown(guess.p90()));
    }

    private TraceJob job() {
        InputException.within(1, MOST_GPUS, "--gpus", gpus);
        InputException.within(0, 1e9, "--submit", submitSeconds);
        return new TraceJob(name, Math.round(submitSeconds * 1e9), gpus, 1, trains, user, group, virtualCluster);
    }

    private static String shown(double seconds) {
        return String.format(Locale.ROOT, "%12.1f s  %s", seconds, Durations.human(seconds));
    }
}
