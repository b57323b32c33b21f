package org.trainyard.experiments.papers.claims;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.trainyard.env.Invalid;

/**
 * The yardstick of a figure of ours, in its unit.
 *
 * @param published the figure that the paper claims; NaN for none
 * @param rival what ours is ahead of; zero for a difference from another
 * @param isLess whether less is better
 */
public record Yardstick(
        double published, double rival, @JsonIgnore boolean isLess) {
    /** The published figure of a claim that has none. */
    public static final double NO_FIGURE = Double.NaN;

    static final String LESS = "less";

    @JsonProperty
    private String better() {
        return isLess ? LESS : "more";
    }

    /** A difference that should be below zero, and at most the published one. */
    public static Yardstick reduction(double published) {
        return new Yardstick(published, 0, true);
    }

    /** A difference that should be above zero, and at least the published one. */
    public static Yardstick gain(double published) {
        return new Yardstick(published, 0, false);
    }

    /** Whether the paper claims a figure. */
    public boolean hasFigure() {
        return !Double.isNaN(published);
    }

    /**
     * The verdict on a figure of ours: its whole interval counts.
     *
     * @param low lower end of the interval
     * @param high upper end
     */
    public ClaimVerdict verdict(double low, double high) {
        Invalid.when(!(low <= high), "interval (%f) to (%f)", low, high);
        double worst = isLess ? high : low;
        if (!(shortfall(worst, rival) < 0)) {
            return ClaimVerdict.NOT_MET;
        }
        if (!hasFigure()) {
            return ClaimVerdict.AHEAD;
        }
        return shortfall(worst, published) <= 0 ? ClaimVerdict.MET : ClaimVerdict.DIRECTION_HOLDS;
    }

    /** The gap between a figure and the published one, or the rival's where none is published; negative beyond it. */
    double shortfall(double ours) {
        return shortfall(ours, hasFigure() ? published : rival);
    }

    private double shortfall(double ours, double mark) {
        return isLess ? ours - mark : mark - ours;
    }
}
