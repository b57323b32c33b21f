package org.trainyard.env.workload.log;

import java.util.List;
import org.trainyard.env.workload.LoggedFacts;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceLimits;

/**
 * How {@link SubmissionTerms} and {@link LoggedFacts} stand in the columns of a {@link LogFormats#OWN} file; a column
 * is there when a job needs it.
 */
public final class TermColumns {
    private static final long PRIORITY = 1L << 53;
    private static final int MOST = Integer.MAX_VALUE;

    static final List<String> TERMS = List.of(
            "account",
            "unix_group",
            "qos",
            "partition",
            "priority",
            "nice",
            "limit_s",
            "delay_s",
            "nodes",
            "exclusive",
            "features",
            "node_list",
            "dependency",
            "reservation",
            "licenses",
            "array_job",
            "array_task",
            "array_at_once",
            "segments");

    static final List<String> FACTS = List.of("ran_on", "state", "exit_code", "reason", "restarts", "held_s");

    private TermColumns() {}

    /** Whether a column says either. */
    public static boolean isOne(String column) {
        return TERMS.contains(column) || FACTS.contains(column);
    }

    static SubmissionTerms terms(TraceRow row) {
        String array = row.textOrNull("array_job");
        String segments = row.textOrNull("segments");
        Long priority = row.textOrNull("priority") == null ? null : row.whole("priority", -PRIORITY, PRIORITY);
        return new SubmissionTerms.Builder()
                .account(row.textOrNull("account"))
                .unixGroup(row.textOrNull("unix_group"))
                .qos(row.textOrNull("qos"))
                .partition(row.textOrNull("partition"))
                .priority(priority)
                .nice((int) row.wholeOr("nice", -MOST, MOST, 0))
                .limitNanos(nanosOrZero(row, "limit_s"))
                .delayNanos(nanosOrZero(row, "delay_s"))
                .nodes((int) row.wholeOr("nodes", 0, TraceLimits.GPUS, 0))
                .exclusive(row.wholeOr("exclusive", 0, 1, 0) == 1)
                .features(row.textOrNull("features"))
                .nodeList(row.textOrNull("node_list"))
                .dependency(row.textOrNull("dependency"))
                .reservation(row.textOrNull("reservation"))
                .licenses(row.textOrNull("licenses"))
                .array(
                        array == null
                                ? null
                                : new SubmissionTerms.ArrayTask(array, row.whole("array_task", 0, MOST), (int)
                                        row.wholeOr("array_at_once", 0, MOST, 0)))
                .segments(segments == null ? null : SegmentOptions.of(segments, 0))
                .build();
    }

    static LoggedFacts facts(TraceRow row) {
        return new LoggedFacts(
                row.textOrNull("ran_on"),
                row.textOrNull("state"),
                row.textOrNull("exit_code"),
                row.textOrNull("reason"),
                (int) row.wholeOr("restarts", 0, MOST, 0),
                nanosOrZero(row, "held_s"));
    }

    private static long nanosOrZero(TraceRow row, String column) {
        return row.textOrNull(column) == null ? 0 : row.nanos(column, TraceRow.SECOND);
    }
}
