package org.trainyard.env.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Attachments of a job or a model by kinds of training: at most one value of each type. */
public final class Attachments {
    /** No attachments. */
    public static final Attachments NONE = new Attachments(new Object[0]);

    private final Object[] values;

    private Attachments(Object[] values) {
        this.values = values;
    }

    /** The value of a type, or of one of its subtypes; null when there is none. */
    public <T> @Nullable T of(Class<T> type) {
        for (Object value : values) {
            if (type.isInstance(value)) {
                return type.cast(value);
            }
        }
        return null;
    }

    /** Returns a copy with a value in place of that of the type; without one for null. */
    public <T> Attachments with(Class<T> type, @Nullable T value) {
        List<Object> changed = new ArrayList<>(List.of(values));
        changed.removeIf(type::isInstance);
        if (value != null) {
            changed.add(value);
        }
        return changed.isEmpty() ? NONE : new Attachments(changed.toArray());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Attachments attachments && Set.of(values).equals(Set.of(attachments.values));
    }

    @Override
    public int hashCode() {
        return Set.of(values).hashCode();
    }

    @Override
    public String toString() {
        return Arrays.toString(values);
    }
}
