package org.trainyard.env.workload.trace.batch;

import java.util.List;
import java.util.Map;
import org.trainyard.env.workload.adaptive.AdaptiveTrainingRun;
import org.trainyard.env.workload.trace.log.LogEntry;
import org.trainyard.env.workload.trace.log.TraceFieldException;
import org.trainyard.env.workload.trace.log.TraceRow;

/**
 * Reads a row of a trace of Gavel: a type of job, its steps and its GPUs. Its duration is the steps at the speed that Gavel's authors measured on V100s, as for Shockwave with a batch
 * size that stays.
 */
public final class GavelRows {
    public static final List<String> COLUMNS = List.of(
            "job_type",
            "command",
            "working_dir",
            "steps_arg",
            "needs_data",
            "total_steps",
            "scale_factor",
            "priority",
            "slo",
            "arrival");

    /** The columns of older files, in which the folder is part of the command. */
    public static final List<String> OLD_COLUMNS =
            List.of("job_type", "command", "steps_arg", "needs_data", "total_steps", "arrival", "scale_factor");

    /**
     * Steps a second on 1, 2, 4 and 8 V100s of the types for which Shockwave has no speed (Gavel, simulation_throughputs.json); 0 where it was not measured.
     */
    private static final Map<String, List<Double>> MEASURED = Map.of(
            "A3C", List.of(7.176),
            "CycleGAN", List.of(4.426),
            "Transformer (batch size 256)", List.of(1.595, 2.885, 4.763, 9.717));

    private static final long STEPS = 999_999_999_999_999L;

    private GavelRows() {}

    /** Whether the first field of a line is the type of a job. */
    public static boolean isType(String field) {
        return MEASURED.containsKey(field.strip()) || AdaptiveTrainingRun.isType(field.strip());
    }

    /** The job of a row. */
    public static LogEntry entry(TraceRow row) {
        String type = row.text("job_type").strip();
        int gpus = row.gpus("scale_factor");
        long steps = row.whole("total_steps", 1, STEPS);
        return new LogEntry("line" + row.line())
                .submitted(row.nanos("arrival", TraceRow.SECOND))
                .lasted(Math.max(1, Math.round(seconds(type, steps, gpus) * TraceRow.SECOND)))
                .gpus(gpus, 1000)
                .by(null, null, type)
                .trains(type.replaceFirst(" \\(.*", ""));
    }

    private static double seconds(String type, long steps, int gpus) {
        List<Double> rates = MEASURED.getOrDefault(type, List.of());
        int power = Integer.numberOfTrailingZeros(gpus);
        if (Integer.bitCount(gpus) == 1 && power < rates.size()) {
            return steps / rates.get(power);
        }
        AdaptiveTrainingRun run = AdaptiveTrainingRun.of(type, AdaptiveTrainingRun.Mode.STATIC, steps, gpus);
        if (run == null) {
            throw new TraceFieldException(
                    "job_type",
                    type,
                    "a type whose speed on %d GPUs was measured, and less than 139 days".formatted(gpus));
        }
        return run.seconds();
    }
}
