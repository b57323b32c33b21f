package org.trainyard.experiments.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.trace.TraceJob;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.prediction.RuntimeGuessesCsv;
import org.trainyard.interference.runtime.RuntimeGuess;
import org.trainyard.interference.runtime.RuntimeLog;
import org.trainyard.interference.runtime.RuntimeModel;
import org.trainyard.interference.runtime.RuntimeModelFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Guesses the run time of one job, or of every job of a CSV file, with a fitted model. */
@Command(
        name = "runtime",
        description = "Guess how long jobs will run, from what is known at their submission.",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard predict runtime --model my-runtimes --user ann --group nightly --gpus 8",
            "         trainyard predict runtime --model my-runtimes --jobs new.csv --out guesses.csv"
        })
final class PredictRuntimeCommand extends Subcommand {
    private static final int MOST_GPUS = 1_000_000;

    @Option(names = "--model", required = true, paramLabel = "DIR", description = "What `fit runtime` wrote.")
    private String model = "";

    @Option(names = "--gpus", paramLabel = "N", description = "GPUs of the job (default: ${DEFAULT-VALUE}).")
    private int gpus = 1;

    @Option(names = "--name", paramLabel = "NAME", description = "Its name.")
    private String name = "job";

    @Option(names = "--user", paramLabel = "NAME", description = "Who submits it.")
    private @Nullable String user;

    @Option(names = "--group", paramLabel = "NAME", description = "The recurring job it is a run of.")
    private @Nullable String group;

    @Option(names = "--trains", paramLabel = "NAME", description = "The model it trains.")
    private @Nullable String trains;

    @Option(names = "--virtual-cluster", paramLabel = "NAME", description = "The tenant it belongs to.")
    private @Nullable String virtualCluster;

    @Option(
            names = "--submit",
            paramLabel = "SECONDS",
            description = "When it is submitted, on the clock of the fitted trace; sets hour and weekday (default: 0).")
    private double submitSeconds;

    @Option(
            names = "--jobs",
            paramLabel = "FILE",
            description =
                    "Guess for all jobs of a CSV file instead: column gpus, and if known job, submit_s, model, user,"
                            + " group, virtual_cluster.")
    private @Nullable String jobs;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "With --jobs: where the file goes with columns seconds, p50_s, p90_s added.")
    private @Nullable String out;

    @Override
    void run() {
        if ((jobs == null) != (out == null)) {
            throw new InputException("predict runtime: --jobs FILE and --out FILE belong together");
        }
        Path place = InputFiles.path(model);
        RuntimeModel fitted =
                RuntimeModelFile.load(Files.isDirectory(place) ? place.resolve(RuntimeModelFile.NAME) : place);
        if (jobs != null && out != null) {
            int rows = RuntimeGuessesCsv.write(fitted, InputFiles.path(jobs), InputFiles.path(out));
            out().println("%s: %,d jobs".formatted(out, rows));
            return;
        }
        RuntimeGuess guess = fitted.guess(RuntimeLog.job(0, job()));
        out().println("guess  " + shown(guess.seconds()));
        out().println("p50    " + shown(guess.p50()));
        out().println("p90    " + shown(guess.p90()));
    }

    private TraceJob job() {
        if (gpus < 1 || gpus > MOST_GPUS) {
            throw InputException.at("--gpus", gpus, "a whole number of GPUs from 1 to %,d".formatted(MOST_GPUS));
        }
        if (!(submitSeconds >= 0 && submitSeconds <= 1e9)) {
            throw InputException.at("--submit", submitSeconds, "seconds in 0..1e9");
        }
        return new TraceJob(name, Math.round(submitSeconds * 1e9), gpus, 1, trains, user, group, virtualCluster);
    }

    private static String shown(double seconds) {
        return String.format(Locale.ROOT, "%12.1f s  %s", seconds, Durations.human(seconds));
    }
}
