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
        long end = start + job.durationNanos();
        if (row.textOrNull("end_s") != null) {
            end = row.secondsOrInstant("end_s");
            if (end - start < job.durationNanos()) {
                throw new TraceFieldException("end_s", row.text("end_s"), "a time not before start_s plus duration_s");
            }
        }
        return job.ran(new LoggedRun(start, end));
    }
}
