package org.trainyard.interference.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.trainyard.env.RandomStreams;

/**
 * Predictors of run time side by side on chronological splits of one log.
 *
 * <p>Five times a forest and boosted trees are fitted on the jobs that were over when the first 50, 60, 70, 80 and 90 % had been
 * submitted, and tried on the tenth submitted next; the scores are of all five tenths together. Features and simple rules know, for
 * every job, what had finished when it was submitted.
 *
 * @param splits how many
 * @param scores a predictor each, the oracle first
 * @param belowP50 part of the jobs that took no longer than the forest's median; one half would be right
 * @param belowP90 part of the jobs that took no longer than the forest's p90; nine tenths would be right
 * @param guesses everything that was said
 */
public record RuntimeComparison(
        int splits, List<RuntimeScore> scores, double belowP50, double belowP90, Guesses guesses) {
    /**
     * What each predictor said of the jobs that were tried.
     *
     * @param firstJob the first of them in order of submission; the others follow without a gap
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
        private final Map<String, ErrorSums> all = new LinkedHashMap<>();
        private final Map<String, ErrorSums> recurring = new LinkedHashMap<>();
        private final Map<String, List<Double>> said = new LinkedHashMap<>();
        private int tried;
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
            List<RuntimeScore> scores = all.keySet().stream()
                    .map(name -> new RuntimeScore(
                            name,
                            sums(all, name).errors(),
                            sums(recurring, name).errors()))
                    .toList();
            return new RuntimeComparison(
                    SPLITS,
                    scores,
                    (double) belowP50 / tried,
                    (double) belowP90 / tried,
                    new Guesses(at(SPLITS), said));
        }

        /** The first job after so many tenths of the log. */
        private int at(long tenths) {
            return (int) (log.size() * tenths / (2 * SPLITS));
        }

        private void tenth(int split, int from, int to) {
            RuntimeRows past = replayed.finishedBy(log.job(from).submitNanos()).newest(settings.mostJobs());
            float[] features = replayed.features(from, to);
            Forest forest = ForestGrower.grow(past, settings, RandomStreams.derive(seed, "split " + split));
            double[] forests = forest.means(features);
            double[] boosted = XgBoost.train(past, boosting(), ROUNDS, booster -> XgBoost.predict(booster, features));
            score(ORACLE, from, to, job -> Math.log(log.seconds(job)));
            score(FOREST, from, to, job -> forests[job - from]);
            score(BOOSTED, from, to, job -> boosted[job - from]);
            score(SMOOTHED, from, to, replayed::estimate);
            score(LAST, from, to, replayed::lastOfGroup);
            score(USER, from, to, replayed::userMean);
            score(MEDIAN, from, to, replayed::median);
            for (int job = from; job < to; job++) {
                cover(forest.distribution(replayed.row(job)), Math.log(log.seconds(job)));
            }
        }

        private Map<String, Object> boosting() {
            Map<String, Object> parameters = new HashMap<>();
            parameters.put("objective", "reg:squarederror");
            parameters.put("tree_method", "hist");
            parameters.put("learning_rate", 0.05);
            parameters.put("max_depth", 6);
            parameters.put("subsample", 0.8);
            parameters.put("seed", (int) (seed & Integer.MAX_VALUE));
            parameters.put("nthread", 1);
            parameters.put("verbosity", 0);
            return parameters;
        }

        private void score(String predictor, int from, int to, IntToDoubleFunction guess) {
            for (int job = from; job < to; job++) {
                double truth = Math.log(log.seconds(job));
                double its = guess.applyAsDouble(job);
                said.computeIfAbsent(predictor, unseen -> new ArrayList<>()).add(its);
                sums(all, predictor).add(truth, its);
                if (log.isRecurring(job)) {
                    sums(recurring, predictor).add(truth, its);
                }
            }
        }

        private static ErrorSums sums(Map<String, ErrorSums> sums, String predictor) {
            return sums.computeIfAbsent(predictor, unseen -> new ErrorSums());
        }

        private void cover(double[] distribution, double trueLog) {
            tried++;
            belowP50 += trueLog <= Forest.quantile(distribution, 0.5) ? 1 : 0;
            belowP90 += trueLog <= Forest.quantile(distribution, 0.9) ? 1 : 0;
        }
    }
}
