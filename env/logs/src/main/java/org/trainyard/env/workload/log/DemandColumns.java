package org.trainyard.env.workload.log;

import java.util.Arrays;
import java.util.List;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceLimits;

/** How a {@link Demand} stands in the columns of a {@link LogFormats#OWN} file. */
public final class DemandColumns {
    /** Columns beside {@code gpus}; an empty field means what whole GPUs and nothing else would mean. */
    public static final List<String> NAMES =
            List.of("gpu_milli", "cpu_milli", "memory_mib", "min_gpus", "max_gpus", "one_server", "gpu_types");

    /** Column of segments, which most traces do without. */
    public static final String SEGMENT = "segment";

    /** The most of a host's resources, with which they times GPUs stay within a long. */
    public static final long HOST = 1_000_000_000_000L;

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
}
