package org.trainyard.env.workload.trace;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.log.TraceRow;

/** The reading of one pod of {@link ClusterLogs#OPENB}. */
final class PodRow {
    private static final int GPUS_OF_A_SERVER = 64;
    private static final long HOST_LIMIT = 1_000_000_000L;
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,15}");

    private PodRow() {}

    static TraceJob job(TraceRow row) {
        long created = row.nanos("creation_time", TraceRow.SECOND);
        return new TraceJob(row.text("name"), created, demand(row), duration(row, created), null, null, null, null);
    }

    private static Demand demand(TraceRow row) {
        long cpuMilli = whole(row, "cpu_milli", 0, HOST_LIMIT);
        long memoryMib = whole(row, "memory_mib", 0, HOST_LIMIT);
        int gpus = (int) whole(row, "num_gpu", 0, GPUS_OF_A_SERVER);
        if (gpus == 0 && cpuMilli == 0 && memoryMib == 0) {
            throw new TraceFieldException(
                    "cpu_milli", row.text("cpu_milli"), "more than 0 for a pod that needs nothing else");
        }
        return new Demand(gpus, gpus, gpus, gpuMilli(row, gpus), cpuMilli, memoryMib, true, types(row));
    }

    /** Pods that share a GPU have only the one; those without GPUs say 0, or nothing. */
    private static int gpuMilli(TraceRow row, int gpus) {
        if (gpus == 0) {
            if (row.textOrNull("gpu_milli") != null) {
                whole(row, "gpu_milli", 0, 0);
            }
            return Demand.WHOLE;
        }
        return (int) whole(row, "gpu_milli", gpus == 1 ? 1 : Demand.WHOLE, Demand.WHOLE);
    }

    private static List<String> types(TraceRow row) {
        @Nullable String spec = row.textOrNull("gpu_spec");
        return spec == null
                ? List.of()
                : Arrays.stream(spec.split("\\|", -1))
                        .map(String::strip)
                        .filter(type -> !type.isEmpty())
                        .toList();
    }

    private static long duration(TraceRow row, long created) {
        long begun = created;
        if (row.textOrNull("scheduled_time") != null) {
            begun = row.nanos("scheduled_time", TraceRow.SECOND);
            if (begun < created) {
                throw new TraceFieldException(
                        "scheduled_time", row.text("scheduled_time"), "a time not before creation_time");
            }
        }
        long deleted = row.nanos("deletion_time", TraceRow.SECOND);
        if (deleted < begun) {
            throw new TraceFieldException(
                    "deletion_time", row.text("deletion_time"), "a time not before creation_time or scheduled_time");
        }
        return Math.max(TraceRow.SECOND, deleted - begun);
    }

    private static long whole(TraceRow row, String column, long least, long most) {
        @Nullable String text = row.textOrNull(column);
        String digits = text == null ? "" : text.strip();
        String expected = least == most ? Long.toString(least) : "a whole number from %d to %d".formatted(least, most);
        if (!DIGITS.matcher(digits).matches()) {
            throw new TraceFieldException(column, digits, expected);
        }
        long number = Long.parseLong(digits);
        if (number < least || number > most) {
            throw new TraceFieldException(column, digits, expected);
        }
        return number;
    }
}
