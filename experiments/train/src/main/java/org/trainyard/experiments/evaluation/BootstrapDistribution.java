package org.trainyard.experiments.evaluation;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.trainyard.env.RandomStreams;
import org.trainyard.experiments.evaluation.PairedComparison.Interval;
import org.trainyard.experiments.metrics.Statistics;

/**
 * The means of the resamples of a bootstrap, from which an interval and a p-value are read.
 *
 * <p>The p-value is two-sided, for the hypothesis that the mean is zero: one less the level of the widest interval that
 * excludes zero. So the 95 % interval excludes zero exactly when p is below 0.05. Resamples do not resolve shares below
 * a few in {@value PairedComparison#RESAMPLES}; there the share beyond zero is that of a normal distribution with the
 * mean and the standard deviation of the resamples, or what was counted if that is more. For means that are normally
 * distributed this p-value is Student's.
 */
final class BootstrapDistribution {
    /** Share of resamples below which it is not taken from their count: five of them. */
    private static final double RESOLVED = 5.0 / PairedComparison.RESAMPLES;

    private final double[] means;
    private final PercentileExpansion expansion;

    /**
     * A distribution.
     *
     * @param means of the resamples; sorted here
     */
    BootstrapDistribution(double[] means, PercentileExpansion expansion) {
        this.means = means.clone();
        Arrays.sort(this.means);
        this.expansion = expansion;
    }

    /** The distribution of the mean of at least two values; O(resamples x values). */
    static BootstrapDistribution ofMean(double[] values, long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "evaluation/bootstrap");
        int n = values.length;
        double[] means = new double[PairedComparison.RESAMPLES];
        for (int r = 0; r < means.length; r++) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += values[random.nextInt(n)];
            }
            means[r] = sum / n;
        }
        return new BootstrapDistribution(means, PercentileExpansion.of(n));
    }

    /** The interval of {@link PairedComparison#LEVEL}. */
    Interval interval() {
        double tail = expansion.tail(1 - PairedComparison.LEVEL);
        return new Interval(Statistics.percentile(means, tail), Statistics.percentile(means, 1 - tail));
    }

    /** The two-sided p-value. */
    double p() {
        double centre = Statistics.mean(means);
        if (centre == 0) {
            return 1;
        }
        double counted = shareBeyondZero(centre > 0 ? 1 : -1);
        if (counted >= RESOLVED) {
            return expansion.p(counted);
        }
        double deviation = deviation(centre);
        double normal =
                deviation == 0 ? 0 : NormalDistribution.of(0, 1).cumulativeProbability(-Math.abs(centre) / deviation);
        double tail = Math.min(RESOLVED, Math.max(counted, normal));
        return tail == 0 ? 0 : expansion.p(tail);
    }

    /**
     * Share of means of the other sign, interpolated as percentiles are: the percentile of exactly this share is zero.
     */
    private double shareBeyondZero(int sign) {
        int last = means.length - 1;
        int beyond = -1;
        while (beyond < last && ordered(beyond + 1, sign) <= 0) {
            beyond++;
        }
        if (beyond < 0 || beyond == last) {
            return beyond < 0 ? 0 : 1;
        }
        double below = ordered(beyond, sign);
        double above = ordered(beyond + 1, sign);
        return (beyond - below / (above - below)) / last;
    }

    /** The means in increasing order or, for a negative sign, the increasing order of their negatives. */
    private double ordered(int index, int sign) {
        return sign > 0 ? means[index] : -means[means.length - 1 - index];
    }

    private double deviation(double centre) {
        double squares = 0;
        for (double mean : means) {
            squares += (mean - centre) * (mean - centre);
        }
        return Math.sqrt(squares / means.length);
    }
}
