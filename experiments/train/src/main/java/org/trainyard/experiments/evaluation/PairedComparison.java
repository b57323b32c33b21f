package org.trainyard.experiments.evaluation;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.metrics.HolmCorrection;
import org.trainyard.experiments.metrics.Statistics;

/**
 * A paired comparison of two schedulers on the same episodes.
 *
 * <p>The difference in an episode is that of the mean JCTs in per cent of the reference's; negative means shorter JCTs.
 * The interval is a 95 % bootstrap percentile interval of the mean difference over resampled episodes. Because
 * percentile intervals are too narrow for few episodes, percentiles are expanded: the tail on either side is
 * {@code Phi(-sqrt(n/(n-1)) t)}, where {@code t} is the 97.5 % point of Student's distribution with {@code n - 1}
 * degrees of freedom (T. C. Hesterberg: What teachers should know about the bootstrap, The American Statistician,
 * 2015). Every comparison draws the same resamples. Pools of seeds are compared by {@link TwoWayBootstrap}.
 *
 * <p>The p-value belongs to the interval (see {@link BootstrapDistribution}). Several comparisons in one table are
 * {@link #corrected} for their number, and the verdict is that of the corrected p-value; intervals stay 95 % each.
 * Episodes that overlap have no p-value and no verdict.
 *
 * @param reference the scheduler it is compared with
 * @param differences by episode, per cent
 * @param mean of the differences, per cent
 * @param interval of the mean, or null with a single episode
 * @param significance p-values, or null where no verdict is possible
 */
public record PairedComparison(
        String name,
        String reference,
        List<Double> differences,
        double mean,
        @Nullable Interval interval,
        @Nullable Significance significance,
        Verdict verdict) {
    /** Resamples behind an interval. */
    public static final int RESAMPLES = 10_000;

    /**
     * Least number of episodes for a verdict: with four, all differences have one sign by chance with probability 1/8.
     */
    public static final int ENOUGH_EPISODES = 5;

    /** The word for a difference whose interval excludes zero, but not once corrected for all comparisons. */
    public static final String NOT_SHOWN = "not shown";

    /** Confidence of an interval. */
    public static final double LEVEL = 0.95;

    /** How intervals are computed, for reports. */
    public static final String METHOD =
            "bootstrap of the mean over episodes, " + RESAMPLES + " resamples, expanded percentiles";

    /** How intervals of a pool of seeds are computed, for reports. */
    public static final String POOLED_METHOD =
            "bootstrap of the mean over seeds and episodes, " + RESAMPLES + " resamples of both, expanded percentiles";

    /** How verdicts are corrected, for reports. */
    public static final String CORRECTION =
            "Holm, over the duels of a policy and over the other comparisons; intervals are not corrected";

    /** An interval from {@code low} to {@code high}, per cent or the unit of the values. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    public record Interval(double low, double high) {
        /** The interval of the mean of at least two values, one per episode. */
        public static Interval ofMean(double[] values, EpisodeSample sample) {
            return BootstrapDistribution.ofMean(values, sample.seed()).interval();
        }

        /** For people, such as {@code -1.5 % .. 2.0 %}. */
        public String text(CellFormat format) {
            return format.text(low) + " .. " + format.text(high);
        }
    }

    /**
     * How probable such a difference is without a real one, two-sided.
     *
     * @param p of this comparison alone; below 0.05 exactly when the interval excludes zero
     * @param corrected by {@link HolmCorrection} for all comparisons that are shown together
     */
    public record Significance(double p, double corrected) {}

    /** The conclusion from the corrected p-value. */
    public enum Verdict {
        /** Shorter JCTs. */
        BETTER("better"),
        /** Longer JCTs. */
        WORSE("worse"),
        /** The corrected p-value is not below 5 %. */
        NO_DIFFERENCE("no difference"),
        TOO_FEW_EPISODES("too few episodes"),
        /** Episodes share jobs. */
        WINDOWS_OVERLAP("windows overlap");

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

    static PairedComparison of(SchedulerRuns runs, SchedulerRuns reference, EpisodeSample sample) {
        return of(runs.name(), runs.meanJctSeconds(), reference.name(), reference.meanJctSeconds(), sample);
    }

    /** Compares the mean JCTs of the same episodes, seconds. */
    public static PairedComparison of(
            String name, double[] seconds, String reference, double[] referenceSeconds, EpisodeSample sample) {
        double[] percent = percent(seconds, referenceSeconds);
        return of(
                name,
                reference,
                percent,
                percent.length < 2 ? null : BootstrapDistribution.ofMean(percent, sample.seed()),
                sample);
    }

    /** Compares a pool: differences are means over seeds, and the interval is over seeds and episodes. */
    static PairedComparison of(SeedPool pool, SchedulerRuns reference, EpisodeSample sample) {
        return of(pool, reference.name(), Collections.nCopies(pool.seeds().size(), reference), sample);
    }

    /**
     * Compares each seed of a pool with a reference of its own.
     *
     * @param references one per seed, in the order of the seeds
     */
    static PairedComparison of(SeedPool pool, String reference, List<SchedulerRuns> references, EpisodeSample sample) {
        int seeds = pool.seeds().size();
        double[][] percent = new double[seeds][];
        double[] mean = new double[references.get(0).episodes().size()];
        for (int s = 0; s < seeds; s++) {
            percent[s] = percent(
                    pool.seeds().get(s).meanJctSeconds(), references.get(s).meanJctSeconds());
            for (int i = 0; i < mean.length; i++) {
                mean[i] += percent[s][i] / seeds;
            }
        }
        return of(
                pool.name(),
                reference,
                mean,
                mean.length < 2 ? null : TwoWayBootstrap.distribution(percent, sample.seed()),
                sample);
    }

    /**
     * Compares mean JCTs of several seeds on the same episodes, seconds: differences are means over seeds, and the
     * interval is over seeds and episodes.
     *
     * @param seconds by seed and episode
     * @param referenceSeconds likewise, or of one seed, with which all are compared
     */
    public static PairedComparison ofSeeds(
            String name, double[][] seconds, String reference, double[][] referenceSeconds, EpisodeSample sample) {
        double[][] percent = new double[seconds.length][];
        double[] mean = new double[seconds[0].length];
        for (int s = 0; s < percent.length; s++) {
            percent[s] = percent(seconds[s], referenceSeconds[Math.min(s, referenceSeconds.length - 1)]);
            for (int i = 0; i < mean.length; i++) {
                mean[i] += percent[s][i] / percent.length;
            }
        }
        BootstrapDistribution means = mean.length < 2
                ? null
                : percent.length < 2
                        ? BootstrapDistribution.ofMean(mean, sample.seed())
                        : TwoWayBootstrap.distribution(percent, sample.seed());
        return of(name, reference, mean, means, sample);
    }

    private static PairedComparison of(
            String name,
            String reference,
            double[] percent,
            @Nullable BootstrapDistribution means,
            EpisodeSample sample) {
        List<Double> differences = Arrays.stream(percent).boxed().toList();
        double mean = Statistics.mean(percent);
        Interval interval = means == null ? null : means.interval();
        if (sample.overlapping() && percent.length > 1) {
            return new PairedComparison(name, reference, differences, mean, interval, null, Verdict.WINDOWS_OVERLAP);
        }
        if (means == null || percent.length < ENOUGH_EPISODES) {
            return new PairedComparison(name, reference, differences, mean, interval, null, Verdict.TOO_FEW_EPISODES);
        }
        double p = means.p();
        return new PairedComparison(name, reference, differences, mean, interval, null, Verdict.NO_DIFFERENCE)
                .withSignificance(new Significance(p, p));
    }

    private static double[] percent(double[] ours, double[] theirs) {
        double[] percent = new double[ours.length];
        for (int i = 0; i < percent.length; i++) {
            percent[i] = 100 * (ours[i] - theirs[i]) / theirs[i];
        }
        return percent;
    }

    /** Returns the comparisons with p-values and verdicts corrected for their number, by {@link HolmCorrection}. */
    static List<PairedComparison> corrected(List<PairedComparison> together) {
        if (together.isEmpty()) {
            return List.of();
        }
        List<Significance> given = new ArrayList<>();
        for (PairedComparison comparison : together) {
            if (comparison.significance == null) {
                // All are over the same episodes, so none has a verdict.
                return List.copyOf(together);
            }
            given.add(comparison.significance);
        }
        double[] p =
                HolmCorrection.corrected(given.stream().map(Significance::p).toList());
        List<PairedComparison> corrected = new ArrayList<>();
        for (int i = 0; i < p.length; i++) {
            corrected.add(together.get(i)
                    .withSignificance(new Significance(given.get(i).p(), p[i])));
        }
        return List.copyOf(corrected);
    }

    private PairedComparison withSignificance(Significance found) {
        Verdict verdict =
                found.corrected() < 1 - LEVEL ? (mean < 0 ? Verdict.BETTER : Verdict.WORSE) : Verdict.NO_DIFFERENCE;
        return new PairedComparison(name, reference, differences, mean, interval, found, verdict);
    }

    /** The verdict in words; beside an interval that excludes zero, no difference is only not shown. */
    public String conclusion() {
        boolean isClear = interval != null && (interval.low > 0 || interval.high < 0);
        return verdict == Verdict.NO_DIFFERENCE && isClear ? NOT_SHOWN : verdict.word();
    }
}
