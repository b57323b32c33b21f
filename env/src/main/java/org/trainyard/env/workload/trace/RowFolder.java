package org.trainyard.env.workload.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.trainyard.env.workload.trace.log.TraceFieldException;
import org.trainyard.env.workload.trace.log.TraceRow;

/** Makes jobs of rows where a job may have several: steps, arrays and repeated runs, or the pods of a gang. */
abstract class RowFolder {
    /** The jobs of which some row ran, by id, in the order of their first rows. */
    final Map<String, LoggedJob> byId = new LinkedHashMap<>();
    /** What was left out, with counts. */
    private final Map<String, Integer> left = new TreeMap<>();

    private final String rows;

    /** @param rows what a row is, in the plural */
    RowFolder(String rows) {
        this.rows = rows;
    }

    /** Takes one row; one that cannot be used is a {@link TraceFieldException}. */
    abstract void add(TraceRow row);

    /** Counts a row that is no job to replay. */
    final void leaveOut(String which) {
        left.merge(which, 1, Integer::sum);
    }

    /** The jobs, in the order of their first rows; to be called once, after the last row. */
    final List<TraceJob> jobs() {
        List<TraceJob> jobs = new ArrayList<>();
        for (LoggedJob logged : byId.values()) {
            TraceJob job = logged.job();
            if (job == null) {
                leaveOut("that ended in the second of their start");
            } else {
                jobs.add(job);
            }
        }
        return jobs;
    }

    /** What was left out and how rows were read, as sentences; after {@link #jobs}. */
    List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        left.forEach((which, count) -> remarks.add("Left out: %,d %s %s.".formatted(count, rows, which)));
        return remarks;
    }
}
