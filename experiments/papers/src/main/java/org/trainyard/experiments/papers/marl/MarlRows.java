package org.trainyard.experiments.papers.marl;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.evaluation.EpisodeSample;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.PairedComparison.Interval;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.ClaimVerdict;
import org.trainyard.experiments.papers.claims.Yardstick;

/**
 * Makes the rows of the study.
 *
 * @param command that makes them again
 */
record MarlRows(String command) {
    /** An untrained scheduler that anybody has: where it meets a claim, the row says so. */
    static final String BAR = "fifo-backfill";

    private static final String SYSTEM = "marl";
    private static final String UNIT = "% of mean JCT";
    private static final EpisodeSample SAMPLE = EpisodeSample.independent(1);

    /** A figure of which no paper claims anything. */
    ClaimRow figure(String claim, double ours, String unit, @Nullable Interval interval, String reason) {
        return new ClaimRow(SYSTEM, claim, ours, unit, interval, null, ClaimVerdict.NOT_COMPARABLE, reason, command);
    }

    /**
     * A claim that ours has shorter mean JCTs than another; the row says it when {@value #BAR} is as good.
     *
     * @param ours mean JCTs by seed and episode, seconds
     * @param theirs likewise, or of one seed
     * @param claimed per cent, negative for a reduction; or {@link Yardstick#NO_FIGURE}
     * @param bar mean JCTs of {@value #BAR} by episode, seconds
     */
    ClaimRow reduction(String claim, double[][] ours, double[][] theirs, double claimed, String reason, double[] bar) {
        double[][] bars = new double[theirs.length][];
        Arrays.fill(bars, bar);
        PairedComparison comparison = PairedComparison.ofSeeds("ours", ours, claim, theirs, SAMPLE);
        PairedComparison untrained = PairedComparison.ofSeeds(BAR, bars, claim, theirs, SAMPLE);
        Yardstick yardstick = Yardstick.reduction(claimed);
        ClaimVerdict verdict = verdict(comparison, yardstick);
        String remark = reason;
        boolean isGood = verdict == ClaimVerdict.MET || verdict == ClaimVerdict.AHEAD;
        if (isGood && verdict(untrained, yardstick) == verdict) {
            remark += "%s%s, untrained, %s too: %+.1f %%"
                    .formatted(
                            reason.isEmpty() ? "" : "; ",
                            BAR,
                            verdict == ClaimVerdict.MET ? "meets it" : "is ahead,",
                            untrained.mean());
            verdict = verdict == ClaimVerdict.MET ? ClaimVerdict.MET_UNTRAINED : verdict;
        }
        return new ClaimRow(
                SYSTEM, claim, comparison.mean(), UNIT, comparison.interval(), yardstick, verdict, remark, command);
    }

    /**
     * A row against LIF without its verdict where LIF is better with the linear model: a rival with a handicap shows
     * nothing.
     *
     * @param lif mean JCTs by episode, seconds
     * @param linear LIF's with the linear model
     */
    static ClaimRow withoutHandicap(ClaimRow row, double[] lif, double[] linear) {
        double behind = 100 * (Statistics.mean(lif) / Statistics.mean(linear) - 1);
        return behind <= 0
                ? row
                : new ClaimRow(
                        row.system(),
                        row.claim(),
                        row.ours(),
                        row.unit(),
                        row.interval(),
                        row.yardstick(),
                        ClaimVerdict.NOT_COMPARABLE,
                        "LIF with the model that ours has is %.1f %% behind itself with the linear one, and shows nothing"
                                .formatted(behind),
                        row.command());
    }

    private static ClaimVerdict verdict(PairedComparison comparison, Yardstick yardstick) {
        Interval interval = comparison.interval();
        return interval == null ? ClaimVerdict.NOT_COMPARABLE : yardstick.verdict(interval.low(), interval.high());
    }
}
