package org.trainyard.experiments.papers.claims;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;

/** Whether a claim of a paper holds here; the weaker verdicts come later. */
public enum ClaimVerdict {
    /** The result here is at least as good as the claim, and so is its whole interval. */
    MET("met"),
    /** The claim is met, but a scheduler that nobody trained or tuned meets it, too. */
    MET_UNTRAINED("met, untrained too"),
    /** The result is better for certain, where the paper claims no figure. */
    AHEAD("ahead, no figure claimed"),
    /** The result is better for certain, as the claim says, but not by as much for certain. */
    DIRECTION_HOLDS("direction holds"),
    /** The result is of a model that was fitted to the published figures, so that it shows nothing. */
    FITTED("fitted"),
    /** Nothing is claimed, or something of another setting. */
    NOT_COMPARABLE("not comparable"),
    /** The result is no better for certain. */
    NOT_MET("not met");

    private final String words;

    ClaimVerdict(String words) {
        this.words = words;
    }

    /** The words in tables and files. */
    @JsonValue
    public String words() {
        return words;
    }

    static ClaimVerdict of(String words) {
        return Arrays.stream(values())
                .filter(verdict -> verdict.words.equals(words))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no verdict (%s)".formatted(words)));
    }
}
