package org.trainyard.env.workload.trace.batch;

import java.util.List;
import java.util.Map;
import org.trainyard.env.Counted;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.LogEntry;

/**
 * Reads a row of a trace of Gavel: a type of job, its steps and its GPUs. Its duration is the steps at the speed that
 * Gavel's authors measured on V100s.
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
     * Steps a second on 1, 2, 4 and 8 V100s (Gavel, simulation_throughputs.json, MIT licence); types with one speed
     * were measured on one.
     */
    private static final Map<String, List<Double>> MEASURED = Map.ofEntries(
            Map.entry("ResNet-18 (batch size 16)", List.of(32.3534, 100.1421, 123.8538, 382.5974)),
            Map.entry("ResNet-18 (batch size 32)", List.of(29.9472, 94.2489, 114.7334, 340.0384)),
            Map.entry("ResNet-18 (batch size 64)", List.of(24.0932, 74.1359, 95.5881, 255.8291)),
            Map.entry("ResNet-18 (batch size 128)", List.of(17.9949, 23.9854, 69.9505, 162.0916)),
            Map.entry("ResNet-18 (batch size 256)", List.of(10.3003, 15.8828, 27.7821, 81.5066)),
            Map.entry("ResNet-50 (batch size 16)", List.of(11.3961, 13.8598, 23.1956, 27.7991)),
            Map.entry("ResNet-50 (batch size 32)", List.of(7.7873, 10.8346, 13.7632, 24.0674)),
            Map.entry("ResNet-50 (batch size 64)", List.of(4.3948, 7.9221, 9.4519, 17.3032)),
            Map.entry("ResNet-50 (batch size 128)", List.of(2.4968, 4.2230, 7.0293, 10.2932)),
            Map.entry("Transformer (batch size 16)", List.of(11.0641, 14.1538, 20.0850, 71.6517)),
            Map.entry("Transformer (batch size 32)", List.of(10.6209, 13.3280, 22.8225, 63.9777)),
            Map.entry("Transformer (batch size 64)", List.of(8.6178, 15.8765, 19.6596, 49.6507)),
            Map.entry("Transformer (batch size 128)", List.of(5.4461, 10.0692, 14.1745, 30.8835)),
            Map.entry("Transformer (batch size 256)", List.of(1.5951, 2.8852, 4.7630, 9.7170)),
            Map.entry("A3C", List.of(7.1758)),
            Map.entry("LM (batch size 5)", List.of(109.1666, 185.7238, 126.7157, 698.7733)),
            Map.entry("LM (batch size 10)", List.of(81.6516, 163.1290, 121.4776, 615.0935)),
            Map.entry("LM (batch size 20)", List.of(64.7425, 132.1741, 110.9969, 497.2953)),
            Map.entry("LM (batch size 40)", List.of(45.2374, 91.5927, 96.0312, 359.3069)),
            Map.entry("LM (batch size 80)", List.of(28.2400, 58.0915, 74.8073, 231.1762)),
            Map.entry("Recommendation (batch size 512)", List.of(23.3176)),
            Map.entry("Recommendation (batch size 1024)", List.of(13.2826)),
            Map.entry("Recommendation (batch size 2048)", List.of(7.4696)),
            Map.entry("Recommendation (batch size 4096)", List.of(3.9061)),
            Map.entry("Recommendation (batch size 8192)", List.of(2.8415)),
            Map.entry("CycleGAN", List.of(4.4261)));

    /** Longer ones are mistakes; 139 days as for Shockwave. */
    private static final double MOST_SECONDS = 12_000_000;

    private static final long STEPS = 999_999_999_999_999L;

    private GavelRows() {}

    /** Whether the first field of a line is the type of a job. */
    public static boolean isType(String field) {
        return MEASURED.containsKey(field.strip());
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
        boolean measured = Integer.bitCount(gpus) == 1 && power < rates.size();
        double seconds = measured ? steps / rates.get(power) : Double.POSITIVE_INFINITY;
        if (seconds > MOST_SECONDS) {
            throw new TraceFieldException(
                    "job_type",
                    type,
                    Counted.say("a type whose speed on %d GPUs was measured, and less than 139 days", gpus));
        }
        return seconds;
    }
}
