package org.trainyard.experiments.twin;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.CellFormat;

/** How many of some decisions are those of a recording. */
final class EqualShare {
    private final String decisions;
    private int equal;
    private int all;

    /** @param decisions in words */
    EqualShare(String decisions) {
        this.decisions = decisions;
    }

    void count(boolean isEqual) {
        all++;
        equal += isEqual ? 1 : 0;
    }

    /** For machines; null without decisions. */
    @JsonValue
    @Nullable Double share() {
        return all == 0 ? null : equal / (double) all;
    }

    boolean isEmpty() {
        return all == 0;
    }

    /** A table of the shares that have decisions. */
    static AnswerTable<EqualShare> table(List<EqualShare> shares) {
        return AnswerTable.of(shares.stream().filter(one -> one.all > 0).toList())
                .text("decision", one -> one.decisions)
                .count("equal", one -> one.equal)
                .count("of", one -> one.all)
                .column("share", CellFormat.of("%.1f %%"), one -> 100.0 * one.equal / one.all);
    }
}
