package org.trainyard.env.workload.log;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;

/** Makes jobs of the rows of one file. */
@FunctionalInterface
public interface LogRows {
    /**
     * Where rows come from.
     *
     * @param file as the user named it
     * @param notes counters of remarks on the rows
     * @param stream takes jobs while the file is read, when they are not kept; or null
     */
    record Source(
            String file,
            TraceColumns columns,
            TraceReader.Options options,
            LogNotes notes,
            @Nullable Consumer<TraceJob> stream) {}

    /**
     * Reads a row; returns the job that it is, in formats of which every row is one, else null.
     *
     * @throws TraceFieldException when the row cannot be used; it is counted as a bad line
     */
    @Nullable TraceJob add(TraceRow row);

    /**
     * Hands out the jobs that {@link #add} did not return, and that the stream was not given; called once, after the
     * last row.
     */
    default void finish(Consumer<TraceJob> jobs) {}

    /** The jobs that were left out, by reason; after {@link #finish}. */
    default List<LeftOut> leftOut() {
        return List.of();
    }

    /**
     * Further remarks on the rows, as sentences; after {@link #finish}.
     *
     * @param jobs number of jobs in the rows
     */
    default List<String> remarks(long jobs) {
        return List.of();
    }

    /** The types of GPUs on which jobs ran that had asked for no type. */
    default SortedSet<String> ranOn() {
        return Collections.emptySortedSet();
    }

    /** The end of the log, with times as its file has them; after {@link #finish}. */
    default LogEnd end() {
        return LogEnd.NONE;
    }

    /** Whether times of this file are counted from 1970. */
    default boolean isDated() {
        return false;
    }
}
