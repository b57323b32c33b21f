package org.trainyard.experiments.papers.claims;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.evaluation.PairedComparison.Interval;

/**
 * A claim of a paper beside our figure.
 *
 * @param system the system of the paper, as {@code trainyard reproduce} calls it
 * @param claim what the paper says, or for an ablation what an idea should do; with its figure, if there is one
 * @param ours our figure
 * @param unit of our figure and its interval
 * @param interval of our figure; null for one that does not vary
 * @param verdict whether the claim holds
 * @param reason the settings that differ, or why there is no verdict; empty for nothing to say
 * @param command what makes the figure again
 * @param evidence of a row of the record book; null in others
 */
public record ClaimRow(
        String system,
        String claim,
        double ours,
        String unit,
        @Nullable Interval interval,
        ClaimVerdict verdict,
        String reason,
        String command,
        @Nullable Evidence evidence) {
    public ClaimRow {
        for (String text : List.of(system, claim, unit, command)) {
            if (text.isBlank()) {
                throw new IllegalArgumentException("a row (%s, %s) lacks a text".formatted(system, claim));
            }
        }
        if (Double.isNaN(ours) && verdict != ClaimVerdict.NOT_COMPARABLE) {
            throw new IllegalArgumentException("a row (%s, %s) has no figure".formatted(system, claim));
        }
    }

    /** A row without evidence. */
    public ClaimRow(
            String system,
            String claim,
            double ours,
            String unit,
            @Nullable Interval interval,
            ClaimVerdict verdict,
            String reason,
            String command) {
        this(system, claim, ours, unit, interval, verdict, reason, command, null);
    }
}
