package org.trainyard.env.workload.log;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.LoggedFacts;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TraceLimits;

/** How {@link SubmissionTerms} and {@link LoggedFacts} stand in the columns of a {@link LogFormats#OWN} file; a column is there when a job needs it. */
final class TermColumns {
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
            "array_at_once");

    static final List<String> FACTS = List.of("ran_on", "state", "exit_code", "reason", "restarts", "held_s");

    private TermColumns() {}

    static boolean isOne(String column) {
        return TERMS.contains(column) || FACTS.contains(column);
    }

    static SubmissionTerms terms(TraceRow row) {
        String array = row.textOrNull("array_job");
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

    /** The fields of a job by column, in the order of the columns; what needs no saying is not there. */
    static Map<String, String> write(TraceJob job) {
        Map<String, String> fields = new LinkedHashMap<>();
        SubmissionTerms terms = job.terms();
        put(fields, "account", terms.account());
        put(fields, "unix_group", terms.unixGroup());
        put(fields, "qos", terms.qos());
        put(fields, "partition", terms.partition());
        put(
                fields,
                "priority",
                terms.priority() == null ? null : terms.priority().toString());
        put(fields, "nice", unlessZero(terms.nice()));
        put(fields, "limit_s", secondsUnlessZero(terms.limitNanos()));
        put(fields, "delay_s", secondsUnlessZero(terms.delayNanos()));
        put(fields, "nodes", unlessZero(terms.nodes()));
        put(fields, "exclusive", terms.exclusive() ? "1" : null);
        put(fields, "features", terms.features());
        put(fields, "node_list", terms.nodeList());
        put(fields, "dependency", terms.dependency());
        put(fields, "reservation", terms.reservation());
        put(fields, "licenses", terms.licenses());
        SubmissionTerms.ArrayTask array = terms.array();
        if (array != null) {
            put(fields, "array_job", array.job());
            put(fields, "array_task", Long.toString(array.task()));
            put(fields, "array_at_once", unlessZero(array.atOnce()));
        }
        if (job.past() != null) {
            write(job.past().facts(), fields);
        }
        return fields;
    }

    private static void write(LoggedFacts facts, Map<String, String> fields) {
        put(fields, "ran_on", facts.nodeList());
        put(fields, "state", facts.state());
        put(fields, "exit_code", facts.exitCode());
        put(fields, "reason", facts.reason());
        put(fields, "restarts", unlessZero(facts.restarts()));
        put(fields, "held_s", secondsUnlessZero(facts.heldNanos()));
    }

    private static void put(Map<String, String> fields, String column, @Nullable String text) {
        if (text != null) {
            fields.put(column, text);
        }
    }

    private static @Nullable String unlessZero(long value) {
        return value == 0 ? null : Long.toString(value);
    }

    private static @Nullable String secondsUnlessZero(long nanos) {
        return nanos == 0
                ? null
                : BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString();
    }
}
