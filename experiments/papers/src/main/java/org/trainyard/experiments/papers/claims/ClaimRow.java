package org.trainyard.experiments.papers.claims;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;
import org.trainyard.experiments.evaluation.PairedComparison.Interval;

/**
 * A claim of a paper beside our figure.
 *
 * @param system the system of the paper, as {@code trainyard reproduce} calls it
 * @param claim what the paper says, or for an ablation what an idea should do; with its figure, if there is one
 * @param ours our figure
 * @param unit of our figure and its interval
 * @param interval of our figure; null for one that does not vary
 * @param yardstick what the figure is judged by; null for one of which nothing is claimed
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
        @JsonUnwrapped @Nullable Yardstick yardstick,
        ClaimVerdict verdict,
        String reason,
        String command,
        @JsonUnwrapped @Nullable Evidence evidence) {
    public ClaimRow {
        for (String text : List.of(system, claim, unit, command)) {
            Invalid.when(text.isBlank(), "a row (%s, %s) lacks a text", system, claim);
        }
        if (Double.isNaN(ours) && verdict != ClaimVerdict.NOT_COMPARABLE) {
            throw new IllegalArgumentException("a row (%s, %s) has no figure".formatted(system, claim));
        }
        boolean isJudged = switch (verdict) {
            case MET, MET_UNTRAINED, DIRECTION_HOLDS, FITTED -> yardstick != null && yardstick.hasFigure();
            case AHEAD -> yardstick != null && !yardstick.hasFigure();
            case NOT_MET -> yardstick != null;
            case NOT_COMPARABLE -> true;
        };
        if (!isJudged) {
            throw new IllegalArgumentException("a row (%s, %s) is (%s), with a published figure of (%s)"
                    .formatted(system, claim, verdict.words(), yardstick == null ? "no claim" : yardstick.published()));
        }
    }

    /**
     * The row that a system is judged by: the one of the weakest verdict, of several the one that lacks most of what it
     * is judged by. Where nothing is claimed of any figure, the first.
     */
    public static ClaimRow weakest(List<ClaimRow> rows) {
        return rows.stream()
                .filter(row -> row.yardstick != null)
                .max(Comparator.comparing(ClaimRow::verdict).thenComparingDouble(ClaimRow::shortfall))
                .orElse(rows.get(0));
    }

    private double shortfall() {
        return Objects.requireNonNull(yardstick).shortfall(ours);
    }

    /** A row without evidence. */
    public ClaimRow(
            String system,
            String claim,
            double ours,
            String unit,
            @Nullable Interval interval,
            @Nullable Yardstick yardstick,
            ClaimVerdict verdict,
            String reason,
            String command) {
        this(system, claim, ours, unit, interval, yardstick, verdict, reason, command, null);
    }
}
