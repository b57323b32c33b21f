package org.trainyard.env.workload.trace;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.LoggedFacts;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.log.DemandColumns;
import org.trainyard.env.workload.log.TermColumns;

/** Fields of a job in the optional columns of the project's trace format, as its reader takes them back. */
final class TraceFields {
    private TraceFields() {}

    /** Whether the columns of demands are needed to say it. */
    static boolean isSaid(Demand demand) {
        return !demand.inSegments(0).equals(Demand.ofGpus(Math.max(1, demand.gpus())));
    }

    /** The fields of {@link DemandColumns#NAMES}; what needs no saying is empty. */
    static List<String> ofDemand(Demand demand) {
        List<String> fields = new ArrayList<>();
        fields.add(unless(demand.gpuMilli(), Demand.WHOLE));
        fields.add(unless(demand.cpuMilli(), 0));
        fields.add(unless(demand.memoryMib(), 0));
        fields.add(unless(demand.minGpus(), demand.gpus()));
        fields.add(unless(demand.maxGpus(), demand.gpus()));
        fields.add(demand.oneServer() ? "1" : "");
        fields.add(String.join("|", demand.gpuTypes()));
        return fields;
    }

    static String unless(long value, long usual) {
        return value == usual ? "" : Long.toString(value);
    }

    /** Whether a trace can say it. */
    static boolean canBeWritten(Demand demand) {
        return demand.maxGpus() <= TraceLimits.GPUS
                && demand.cpuMilli() <= DemandColumns.HOST
                && demand.memoryMib() <= DemandColumns.HOST
                && demand.gpuTypes().stream()
                        .allMatch(type -> !type.isBlank()
                                && type.equals(type.strip())
                                && !type.contains("|")
                                && type.chars().noneMatch(Character::isISOControl));
    }

    /**
     * The fields of {@link TermColumns} of a job by column, in the order of the columns; what needs no saying is not
     * there.
     */
    static Map<String, String> ofTerms(TraceJob job) {
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
        put(
                fields,
                "segments",
                terms.segments() == null ? null : terms.segments().toString());
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
