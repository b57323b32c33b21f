package org.trainyard.interference.runtimes;

import java.util.Locale;
import java.util.stream.IntStream;
import org.trainyard.interference.runtime.SubmissionFeatures;
import org.trainyard.interference.tables.NumpyZip;

/** The numeric tables of a log in NumPy's .npz format: features, true run times and predictions. */
public final class RuntimeTables {
    /** File name in the folder of a fit. */
    public static final String NAME = "runtimes.npz";

    private RuntimeTables() {}

    /**
     * {@code features} (float32, a row for each job in order of submission, as it was then) and {@code log_seconds} of
     * all jobs; then, of the jobs that were tried, {@code tried} (their rows) and a logarithm of seconds by each
     * predictor, such as {@code forest}.
     */
    public static byte[] npz(ReplayedLog replayed, RuntimeComparison comparison) {
        RuntimeLog log = replayed.log();
        NumpyZip tables = new NumpyZip()
                .with("features", replayed.features(), log.size(), SubmissionFeatures.COUNT)
                .with(
                        "log_seconds",
                        IntStream.range(0, log.size())
                                .mapToDouble(job -> Math.log(log.seconds(job)))
                                .toArray());
        RuntimeComparison.Guesses guesses = comparison.guesses();
        tables.with(
                "tried",
                IntStream.range(guesses.firstJob(), log.size()).asDoubleStream().toArray());
        guesses.logSeconds()
                .forEach((predictor, said) -> tables.with(
                        predictor.toLowerCase(Locale.ROOT).replaceAll("[^a-z]+", "_"),
                        said.stream().mapToDouble(Double::doubleValue).toArray()));
        return tables.bytes();
    }
}
