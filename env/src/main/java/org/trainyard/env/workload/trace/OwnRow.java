package org.trainyard.env.workload.trace;

/** The reading of one row of {@link TraceFormat#TRAINYARD}. */
final class OwnRow {
    private OwnRow() {}

    static TraceJob job(TraceRow row) {
        long submit = row.secondsOrInstant("submit_s");
        TraceJob job = new TraceJob(
                row.text("job"),
                submit,
                DemandColumns.read(row),
                row.nanosAboveZero("duration_s", TraceRow.SECOND),
                row.textOrNull("model"),
                row.textOrNull("user"),
                row.textOrNull("group"),
                row.textOrNull("virtual_cluster"));
        if (row.textOrNull("start_s") == null) {
            return job;
        }
        long start = row.secondsOrInstant("start_s");
        if (start < submit) {
            throw new TraceFieldException("start_s", row.text("start_s"), "a time not before the column submit_s");
        }
        return job.startedAt(start);
    }
}
