package org.trainyard.env.workload.trace;

import java.util.List;

/** Makes jobs of rows where a job may have several: steps, arrays and repeated runs, or the pods of a gang. */
interface RowFolder {
    /** Takes one row; one that cannot be used is a {@link TraceFieldException}. */
    void add(TraceRow row);

    /** The jobs, in the order of their first rows; to be called once, after the last row. */
    List<TraceJob> jobs();

    /** What was left out and how rows were read, as sentences; after {@link #jobs}. */
    List<String> remarks();
}
