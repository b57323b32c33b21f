package org.trainyard.env.workload.columns;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;

/**
 * A column of the project's own trace format that attaches a value to a job by a label, found by {@link ServiceLoader}.
 *
 * @param <T> the type of the value
 */
public interface TermColumn<T> {
    /** Place among the columns. */
    int position();

    String name();

    Class<T> type();

    /** The value of a label; null when it is none. */
    @Nullable T parse(String label);

    /** The label that {@link #parse} reads. */
    String label(T value);

    /** The form of a label, in words. */
    String form();

    /** Whether only jobs on rings may have a value. */
    default boolean needsRing() {
        return false;
    }

    /** The label of a job's value; empty for none. */
    default String labelOf(TraceJob job) {
        T value = job.of(type());
        return value == null ? "" : label(value);
    }

    /** The columns of the kinds on the class path. */
    static List<TermColumn<?>> all() {
        return Loaded.ALL;
    }

    /** The columns, found once. */
    final class Loaded {
        @SuppressWarnings("rawtypes")
        private static final List<TermColumn<?>> ALL =
                ServiceLoader.load(TermColumn.class, TermColumn.class.getClassLoader()).stream()
                        .<TermColumn<?>>map(provider -> (TermColumn<?>) provider.get())
                        .sorted(Comparator.comparingInt(TermColumn::position))
                        .toList();

        private Loaded() {}
    }
}
