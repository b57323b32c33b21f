package org.trainyard.experiments.papers.claims;

import java.util.Arrays;

/** Whether a claim of a paper holds here. */
public enum ClaimVerdict {
    /** Ours is at least as good as the claim, and so is its whole interval. */
    MET("met"),
    /** The same, but a scheduler that nobody trained or tuned meets the claim, too. */
    MET_UNTRAINED("met, untrained too"),
    /** Better, as the claim says, and the interval is clear of no difference, but not by as much for certain. */
    DIRECTION_HOLDS("direction holds"),
    /** No better for certain. */
    NOT_MET("not met"),
    /** The claim has no figure, or one of another setting. */
    NOT_COMPARABLE("not comparable");

    private final String words;

    ClaimVerdict(String words) {
        this.words = words;
    }

    /** The words in tables and files. */
    public String words() {
        return words;
    }

    /** The verdict of these words. */
    static ClaimVerdict of(String words) {
        return Arrays.stream(values())
                .filter(verdict -> verdict.words.equals(words))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no verdict (%s)".formatted(words)));
    }

    /**
     * The verdict on a reduction.
     *
     * @param low lower end of the interval of ours, per cent; negative for a reduction
     * @param high upper end
     * @param claimed what the paper claims, per cent; negative for a reduction
     */
    public static ClaimVerdict ofReduction(double low, double high, double claimed) {
        if (!(low <= high)) {
            throw new IllegalArgumentException("interval (%f) to (%f)".formatted(low, high));
        }
        // To be below by nothing in particular needs an interval clear of zero.
        if (high <= claimed && (claimed != 0 || high < 0)) {
            return MET;
        }
        return high < 0 ? DIRECTION_HOLDS : NOT_MET;
    }
}
