package org.trainyard.experiments.evaluation;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.RandomStreams;

/**
 * A paired comparison of two schedulers on the same episodes.
 *
 * <p>The difference in an episode is that of the mean JCTs in per cent of the reference's; negative means shorter JCTs. The interval is a 95 %
 * bootstrap percentile interval of the mean difference over resampled episodes. Because percentile intervals are too narrow for few episodes,
 * percentiles are expanded: the tail on either side is {@code Phi(-sqrt(n/(n-1)) t)}, where {@code t} is the 97.5 % point of Student's
 * distribution with {@code n - 1} degrees of freedom (T. C. Hesterberg: What teachers should know about the bootstrap, The American
 * Statistician, 2015). Every comparison draws the same resamples. Pools of seeds are compared by {@link TwoWayBootstrap}.
 *
 * @param name the scheduler
 * @param reference the scheduler it is compared with
 * @param differences by episode, per cent
 * @param mean of the differences, per cent
 * @param interval of the mean, or null with a single episode
 * @param verdict the conclusion from the interval
 */
public record PairedComparison(
        String name,
        String reference,
        List<Double> differences,
        double mean,
        @Nullable Interval interval,
        Verdict verdict) {
    /** Resamples behind an interval. */
    public static final int RESAMPLES = 10_000;

    /** Least number of episodes for a verdict: with four, all differences have one sign by chance with probability 1/8. */
    public static final int ENOUGH_EPISODES = 5;

    /** Confidence of an interval. */
    public static final double LEVEL = 0.95;

    /** How intervals are computed, for reports. */
    public static final String METHOD =
            "bootstrap of the mean over episodes, %d resamples, expanded percentiles".formatted(RESAMPLES);

    /** How intervals of a pool of seeds are computed, for reports. */
    public static final String POOLED_METHOD =
            "bootstrap of the mean over seeds and episodes, %d resamples of both, expanded percentiles"
                    .formatted(RESAMPLES);

    /** From {@code low} to {@code high}, per cent. */
    public record Interval(double low, double high) {}

    /** The conclusion from an interval. */
    public enum Verdict {
        /** Shorter JCTs: the interval lies below zero. */
        BETTER("better"),
        /** Longer JCTs: the interval lies above zero. */
        WORSE("worse"),
        /** The interval contains zero. */
        NO_DIFFERENCE("no difference"),
        TOO_FEW_EPISODES("too few episodes");

        private final String word;

        Verdict(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    public PairedComparison {
        differences = List.copyOf(differences);
    }

    static PairedComparison of(SchedulerRuns runs, SchedulerRuns reference, long seed) {
        double[] percent = percent(runs.meanJctSeconds(), reference.meanJctSeconds());
        Interval interval = percent.length < 2 ? null : interval(percent, seed);
        return of(runs.name(), reference.name(), percent, interval);
    }

    /** Compares a pool: differences are means over seeds, and the interval is over seeds and episodes. */
    static PairedComparison of(SeedPool pool, SchedulerRuns reference, long seed) {
        double[] theirs = reference.meanJctSeconds();
        int seeds = pool.seeds().size();
        double[][] percent = new double[seeds][];
        double[] mean = new double[theirs.length];
        for (int s = 0; s < seeds; s++) {
            percent[s] = percent(pool.seeds().get(s).meanJctSeconds(), theirs);
            for (int i = 0; i < mean.length; i++) {
                mean[i] += percent[s][i] / seeds;
            }
        }
        Interval interval = mean.length < 2 ? null : TwoWayBootstrap.interval(percent, seed);
        return of(pool.name(), reference.name(), mean, interval);
    }

    private static PairedComparison of(String name, String reference, double[] percent, @Nullable Interval interval) {
        return new PairedComparison(
                name,
                reference,
                Arrays.stream(percent).boxed().toList(),
                Statistics.mean(percent),
                interval,
                verdict(percent.length, interval));
    }

    private static double[] percent(double[] ours, double[] theirs) {
        double[] percent = new double[ours.length];
        for (int i = 0; i < percent.length; i++) {
            percent[i] = 100 * (ours[i] - theirs[i]) / theirs[i];
        }
        return percent;
    }

    private static Verdict verdict(int episodes, @Nullable Interval interval) {
        if (interval == null || episodes < ENOUGH_EPISODES) {
            return Verdict.TOO_FEW_EPISODES;
        }
        if (interval.high() < 0) {
            return Verdict.BETTER;
        }
        return interval.low() > 0 ? Verdict.WORSE : Verdict.NO_DIFFERENCE;
    }

    /** The interval of the mean of at least two values; O(resamples x values). */
    static Interval interval(double[] values, long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "evaluation/bootstrap");
        int n = values.length;
        double[] means = new double[RESAMPLES];
        for (int r = 0; r < RESAMPLES; r++) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += values[random.nextInt(n)];
            }
            means[r] = sum / n;
        }
        Arrays.sort(means);
        double tail = expandedTail(n);
        return new Interval(Statistics.percentile(means, tail), Statistics.percentile(means, 1 - tail));
    }

    private static double expandedTail(int n) {
        double t = TDistribution.of(n - 1).inverseSurvivalProbability((1 - LEVEL) / 2);
        return NormalDistribution.of(0, 1).cumulativeProbability(-Math.sqrt(n / (n - 1.0)) * t);
    }
}
