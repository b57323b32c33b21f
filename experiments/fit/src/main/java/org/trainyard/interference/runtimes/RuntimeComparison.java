package org.trainyard.interference.runtimes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.trainyard.env.RandomStreams;
import org.trainyard.interference.forest.RegressionForest;
import org.trainyard.interference.forest.XgBoost;

/**
 * Predictors of run time side by side on chronological splits of one log.
 *
 * <p>Five times a forest and boosted trees are fitted on the jobs that had finished when the first 50, 60, 70, 80
 * and 90 % of the log had been submitted, and tested on the next tenth; the scores are of all five tenths together.
 * Features and history-based predictors know, for every job, what had finished when it was submitted.
 *
 * @param splits number of splits
 * @param scores one per predictor, the oracle first
 * @param belowP50 fraction of the jobs that took no longer than the forest's median; 0.5 is calibrated
 * @param belowP90 fraction of the jobs that took no longer than the forest's p90; 0.9 is calibrated
 * @param guesses all predictions
 */
public record RuntimeComparison(
        int splits, List<RuntimeScore> scores, double belowP50, double belowP90, Guesses guesses) {
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
    public static final String BOOSTED = "gradient boosting";
    public static final String SMOOTHED = "smoothed history";
    public static final String LAST = "last of group";
    public static final String USER = "user's mean";
    public static final String MEDIAN = "global median";

    private static final int SPLITS = 5;
    private static final int ROUNDS = 200;
    private static final Map<String, Object> BOOSTING = Map.of("learning_rate", 0.05, "max_depth", 6, "subsample", 0.8);

    public RuntimeComparison {
        scores = List.copyOf(scores);
    }

    /** The score of a predictor by its name. */
    public RuntimeScore score(String predictor) {
        return scores.stream()
                .filter(score -> score.predictor().equals(predictor))
                .findFirst()
                .orElseThrow();
    }

    /** Compares on a log of at least 100 jobs. */
    public static RuntimeComparison of(RuntimeLog log, ForestSettings settings, long seed) {
        if (log.size() < 100) {
            throw new IllegalArgumentException("a log of (%d) jobs cannot be split".formatted(log.size()));
        }
        return new Trial(log, settings, seed).run();
    }

    /** One comparison under way. */
    private static final class Trial {
        private final RuntimeLog log;
        private final ForestSettings settings;
        private final long seed;
        private final ReplayedLog replayed;
        private final Map<String, List<Double>> predicted = new LinkedHashMap<>();
        private int belowP50;
        private int belowP90;

        Trial(RuntimeLog log, ForestSettings settings, long seed) {
            this.log = log;
            this.settings = settings;
            this.seed = seed;
            replayed = ReplayedLog.of(log);
        }

        RuntimeComparison run() {
            for (int split = 0; split < SPLITS; split++) {
                tenth(split, at(SPLITS + split), at(SPLITS + split + 1));
            }
            List<RuntimeScore> scores = predicted.keySet().stream()
                    .map(name -> new RuntimeScore(name, errors(name, job -> true), errors(name, log::isRecurring)))
                    .toList();
            double tried = log.size() - at(SPLITS);
            return new RuntimeComparison(
                    SPLITS, scores, belowP50 / tried, belowP90 / tried, new Guesses(at(SPLITS), predicted));
        }

        /** The first job after so many tenths of the log. */
        private int at(long tenths) {
            return (int) (log.size() * tenths / (2 * SPLITS));
        }

        private void tenth(int split, int from, int to) {
            RuntimeRows past = replayed.finishedBy(log.job(from).submitNanos()).newest(settings.mostJobs());
            float[] features = replayed.features(from, to);
            RegressionForest forest = ForestGrower.grow(past, settings, RandomStreams.derive(seed, "split " + split));
            double[] forests = forest.means(features, SubmissionFeatures.COUNT);
            double[] boosted = XgBoost.boosted(past.table(), BOOSTING, ROUNDS, seed, features);
            predict(ORACLE, from, to, this::truth);
            predict(FOREST, from, to, job -> forests[job - from]);
            predict(BOOSTED, from, to, job -> boosted[job - from]);
            predict(SMOOTHED, from, to, replayed::estimate);
            predict(LAST, from, to, replayed::lastOfGroup);
            predict(USER, from, to, replayed::userMean);
            predict(MEDIAN, from, to, replayed::median);
            for (int job = from; job < to; job++) {
                double[] distribution = forest.distribution(replayed.row(job));
                belowP50 += truth(job) <= RegressionForest.quantile(distribution, 0.5) ? 1 : 0;
                belowP90 += truth(job) <= RegressionForest.quantile(distribution, 0.9) ? 1 : 0;
            }
        }

        private double truth(int job) {
            return Math.log(log.seconds(job));
        }

        private void predict(String predictor, int from, int to, IntToDoubleFunction logSeconds) {
            List<Double> its = predicted.computeIfAbsent(predictor, unseen -> new ArrayList<>());
            IntStream.range(from, to).mapToDouble(logSeconds).forEach(its::add);
        }

        /** The errors of a predictor on the test jobs that pass a filter. */
        private RuntimeScore.Errors errors(String predictor, IntPredicate filter) {
            List<Double> its = predicted.getOrDefault(predictor, List.of());
            int first = at(SPLITS);
            int[] jobs = IntStream.range(first, log.size()).filter(filter).toArray();
            return RuntimeScore.Errors.of(
                    Arrays.stream(jobs).mapToDouble(this::truth).toArray(),
                    Arrays.stream(jobs).mapToDouble(job -> its.get(job - first)).toArray());
        }
    }
}
