package org.trainyard.env.workload;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What kinds of training add to a job or to a model: at most one value of each type. */
public final class Attachments {
    /** Nothing. */
    public static final Attachments NONE = new Attachments(List.of());

    private final List<Object> values;

    private Attachments(List<Object> values) {
        this.values = values;
    }

    /** The value of a type, or of one of its subtypes; null when there is none. */
    public <T> @Nullable T of(Class<T> type) {
        // An index makes no iterator: rates ask for every placement.
        for (int i = 0; i < values.size(); i++) {
            if (type.isInstance(values.get(i))) {
                return type.cast(values.get(i));
            }
        }
        return null;
    }

    /** These with a value in place of that of the type; without one for null. */
    public <T> Attachments with(Class<T> type, @Nullable T value) {
        List<Object> changed = new ArrayList<>(values);
        changed.removeIf(type::isInstance);
        if (value != null) {
            changed.add(value);
        }
        return changed.isEmpty() ? NONE : new Attachments(List.copyOf(changed));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Attachments attachments
                && values.size() == attachments.values.size()
                && values.containsAll(attachments.values);
    }

    @Override
    public int hashCode() {
        return values.stream().mapToInt(Object::hashCode).sum();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
