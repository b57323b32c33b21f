package org.trainyard.env.workload.log;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceLimits;

/** How a {@link Demand} stands in the columns of a {@link LogFormats#OWN} file. */
final class DemandColumns {
    /** Beside {@code gpus}; an empty field means what whole GPUs and nothing else would mean. */
    static final List<String> NAMES =
            List.of("gpu_milli", "cpu_milli", "memory_mib", "min_gpus", "max_gpus", "one_server", "gpu_types");

    /** Of segments, a column that most traces do without. */
    static final String SEGMENT = "segment";

    /** So that host resources times GPUs stay within a long. */
    static final long HOST = 1_000_000_000_000L;

    private DemandColumns() {}

    static Demand read(TraceRow row) {
        long cpuMilli = row.wholeOr("cpu_milli", 0, HOST, 0);
        long memoryMib = row.wholeOr("memory_mib", 0, HOST, 0);
        int gpus = cpuMilli + memoryMib > 0 ? (int) row.whole("gpus", 0, TraceLimits.GPUS) : row.gpus("gpus");
        int least = gpus == 0 ? 0 : 1;
        Demand demand = new Demand(
                gpus,
                (int) row.wholeOr("min_gpus", least, gpus, gpus),
                (int) row.wholeOr("max_gpus", gpus, TraceLimits.GPUS, gpus),
                (int) row.wholeOr("gpu_milli", 1, Demand.WHOLE, Demand.WHOLE),
                cpuMilli,
                memoryMib,
                row.wholeOr("one_server", 0, 1, 0) == 1,
                types(row));
        int segment = (int) row.wholeOr(SEGMENT, 1, TraceLimits.GPUS, 0);
        if (segment > 0 && (demand.isElastic() || gpus % segment > 0 || demand.gpuMilli() < Demand.WHOLE)) {
            throw new TraceFieldException(
                    SEGMENT,
                    Integer.toString(segment),
                    "a divisor of a fixed number of whole GPUs (%d)".formatted(gpus));
        }
        return demand.inSegments(segment);
    }

    private static List<String> types(TraceRow row) {
        String text = row.textOrNull("gpu_types");
        if (text == null) {
            return List.of();
        }
        List<String> types =
                Arrays.stream(text.split("\\|", -1)).map(String::strip).toList();
        if (types.stream().anyMatch(String::isEmpty)) {
            throw new TraceFieldException("gpu_types", text, "names separated by single bars");
        }
        return types;
    }

    /** Whether these columns are needed to say it. */
    static boolean says(Demand demand) {
        return !demand.inSegments(0).equals(Demand.ofGpus(Math.max(1, demand.gpus())));
    }

    /** The fields of {@link #NAMES}; what needs no saying is empty. */
    static List<String> write(Demand demand) {
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

    /** Whether {@link #read} would give back what {@link #write} wrote. */
    static boolean canBeWritten(Demand demand) {
        return demand.maxGpus() <= TraceLimits.GPUS
                && demand.cpuMilli() <= HOST
                && demand.memoryMib() <= HOST
                && demand.gpuTypes().stream()
                        .allMatch(type -> !type.isBlank()
                                && type.equals(type.strip())
                                && !type.contains("|")
                                && type.chars().noneMatch(Character::isISOControl));
    }
}
