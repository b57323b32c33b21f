package org.trainyard.interference.runtimes;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.trainyard.env.Invalid;

/**
 * Predictors of run time side by side on the later half of a log, each asked when a job is submitted, with the jobs
 * that had finished by then. The forest is grown as in a simulation.
 *
 * @param scores one per predictor, the oracle first
 * @param belowP50 fraction of the jobs that took no longer than the forest's median; 0.5 is calibrated
 * @param belowP90 fraction of the jobs that took no longer than the forest's p90; 0.9 is calibrated
 * @param guesses all predictions
 */
public record RuntimeComparison(List<RuntimeScore> scores, double belowP50, double belowP90, Guesses guesses) {
    /**
     * The predictions of the test jobs.
     *
     * @param firstJob the first test job in order of submission; the others follow without a gap
     * @param logSeconds by predictor, natural logarithms of seconds
     */
    public record Guesses(int firstJob, Map<String, List<Double>> logSeconds) {}

    /** Names of the predictors, in the order of the table. */
    public static final String ORACLE = "oracle";

    public static final String FOREST = "forest";
    /** The prediction given to schedulers: the forest's mean seconds. */
    public static final String FOREST_MEAN = "mean of forest";

    public static final String SMOOTHED = "smoothed history";
    public static final String LAST = "last of group";
    public static final String USER = "user's mean";
    public static final String MEDIAN = "global median";

    public RuntimeComparison {
        scores = List.copyOf(scores);
    }

    public RuntimeScore score(String predictor) {
        return scores.stream()
                .filter(score -> score.predictor().equals(predictor))
                .findFirst()
                .orElseThrow();
    }

    /** Compares on a log of at least 100 jobs. */
    public static RuntimeComparison of(ReplayedLog replayed) {
        RuntimeLog log = replayed.log();
        Invalid.when(log.size() < 100, "a log of (%d) jobs is too short", log.size());
        int first = log.size() / 2;
        IntToDoubleFunction truth = job -> Math.log(log.seconds(job));
        Map<String, List<Double>> predicted = new LinkedHashMap<>();
        Map<String, IntToDoubleFunction> predictors = new LinkedHashMap<>();
        predictors.put(ORACLE, truth);
        predictors.put(FOREST, job -> Math.log(replayed.guess(job).seconds()));
        predictors.put(FOREST_MEAN, job -> Math.log(replayed.guess(job).expected()));
        predictors.put(SMOOTHED, replayed::estimate);
        predictors.put(LAST, replayed::lastOfGroup);
        predictors.put(USER, replayed::userMean);
        predictors.put(MEDIAN, replayed::median);
        predictors.forEach((name, logSeconds) -> predicted.put(
                name,
                IntStream.range(first, log.size())
                        .mapToDouble(logSeconds)
                        .boxed()
                        .toList()));
        List<RuntimeScore> scores = predictors.entrySet().stream()
                .map(of -> new RuntimeScore(
                        of.getKey(),
                        errors(log, first, job -> true, truth, of.getValue()),
                        errors(log, first, log::isRecurring, truth, of.getValue())))
                .toList();
        return new RuntimeComparison(
                scores,
                below(log, first, job -> replayed.guess(job).p50()),
                below(log, first, job -> replayed.guess(job).p90()),
                new Guesses(first, predicted));
    }

    /** The part of the test jobs that took at most so many seconds. */
    private static double below(RuntimeLog log, int first, IntToDoubleFunction seconds) {
        return IntStream.range(first, log.size())
                .mapToDouble(job -> log.seconds(job) <= seconds.applyAsDouble(job) ? 1 : 0)
                .average()
                .orElseThrow();
    }

    /** The errors of a predictor on the test jobs that pass a filter. */
    private static RuntimeScore.Errors errors(
            RuntimeLog log, int first, IntPredicate filter, IntToDoubleFunction truth, IntToDoubleFunction predicted) {
        int[] jobs = IntStream.range(first, log.size()).filter(filter).toArray();
        return RuntimeScore.Errors.of(
                Arrays.stream(jobs).mapToDouble(truth).toArray(),
                Arrays.stream(jobs).mapToDouble(predicted).toArray());
    }
}
