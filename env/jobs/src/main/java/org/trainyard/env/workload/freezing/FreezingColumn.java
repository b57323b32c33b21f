package org.trainyard.env.workload.freezing;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.columns.TermColumn;

/** The column {@code freezing} of traces: the label of {@link FreezingTerms}. */
public final class FreezingColumn implements TermColumn<FreezingTerms> {
    @Override
    public int position() {
        return 20;
    }

    @Override
    public String name() {
        return "freezing";
    }

    @Override
    public Class<FreezingTerms> type() {
        return FreezingTerms.class;
    }

    @Override
    public @Nullable FreezingTerms parse(String label) {
        return FreezingTerms.parse(label);
    }

    @Override
    public String label(FreezingTerms value) {
        return value.label();
    }

    @Override
    public String form() {
        return FreezingTerms.FORM;
    }

    @Override
    public boolean needsRing() {
        return true;
    }
}
