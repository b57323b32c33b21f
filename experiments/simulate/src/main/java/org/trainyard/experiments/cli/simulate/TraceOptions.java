package org.trainyard.experiments.cli.simulate;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogFormat;
import org.trainyard.env.workload.log.LogFormats;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.Progress;
import picocli.CommandLine.Option;

/** Options for reading traces. */
public final class TraceOptions {
    private static final long MOST_MEGABYTES = 1 << 20;

    private static final Map<String, String> SEPARATORS =
            Map.of("tab", "\t", "\\t", "\t", "comma", ",", "semicolon", ";", "bar", "|", "pipe", "|");

    @Option(
            names = "--format",
            paramLabel = "NAME",
            description = "Format of the trace, one of `trainyard list traces` (default: detected from the header).")
    private @Nullable String format;

    @Option(
            names = "--virtual-cluster",
            paramLabel = "NAME",
            description = "Keep only the jobs of this virtual cluster.")
    private @Nullable String virtualCluster;

    @Option(names = "--strict", description = "Fail at the first invalid line of the trace instead of skipping it.")
    private boolean strict;

    @Option(
            names = "--max-mb",
            paramLabel = "N",
            description =
                    "Refuse a trace with more megabytes of unpacked text (default: 1024; no limit in " + "inspect).")
    private @Nullable Long mostMegabytes;

    @Option(
            names = "--separator",
            paramLabel = "TEXT",
            description = "Separator of the columns of the trace: , | ; or tab (default: detected).")
    private @Nullable String separator;

    @Option(
            names = "--columns",
            paramLabel = "KEY=COLUMN,...",
            description = "Columns of a table in no known format, such as "
                    + "\"job=id,gpus=gpu_num*node_num,submit=submit_time,duration=ms/1000\".")
    private @Nullable String columns;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "Time zone of times without an offset, such as Europe/Berlin (default: none).")
    private @Nullable String zone;

    @Option(
            names = "--shards",
            paramLabel = "N",
            description = "Slurm shards per GPU (default: jobs with shards are left out).")
    private @Nullable Integer shards;

    @Option(
            names = "--gpu-replicas",
            paramLabel = "N",
            description = "Replicas per GPU by time slicing in Kubernetes (default: none).")
    private @Nullable Integer gpuReplicas;

    private boolean loads;
    private boolean open;

    /** Whether jobs that held CPUs and memory alone are kept, as where servers are known to have ends of them. */
    public TraceOptions keepingLoads(boolean keeps) {
        loads = keeps;
        return this;
    }

    /** Keeps jobs that run or wait at the end of the log. */
    public TraceOptions keepingOpen() {
        open = true;
        return this;
    }

    /** Reads a trace and warns of its bad lines. */
    public Trace read(String file, PrintWriter err) {
        Trace trace = read(file);
        if (trace.badLineCount() > 0) {
            err.println(Counted.say(
                    "%,d bad lines were left out; the first is %s",
                    trace.badLineCount(), trace.badLines().get(0)));
        }
        return trace;
    }

    public Trace read(String file) {
        Path path = log(file);
        try (Progress progress = Progress.startLate("read", InputFiles.bytes(path))) {
            return TraceReader.read(
                    path, options(TraceReader.Options.MOST_BYTES, bytes -> progress.to(bytes, path.toString())));
        }
    }

    /** Reads a trace without keeping its jobs, which are handed out as the file has them. */
    public Trace stream(String file, Consumer<TraceJob> jobs) {
        Path path = log(file);
        try (Progress progress = Progress.startLate("read", InputFiles.bytes(path))) {
            return TraceReader.stream(
                    path, options(Long.MAX_VALUE, bytes -> progress.to(bytes, path.toString())), jobs);
        }
    }

    private TraceReader.Options options(long usually, LongConsumer progress) {
        if (mostMegabytes != null) {
            InputException.within(1, MOST_MEGABYTES, "--max-mb", mostMegabytes);
        }
        LogFormat given = format(format);
        String between = separator(separator);
        return new TraceReader.Options(
                columns == null ? given : LogFormats.named(columns),
                virtualCluster,
                strict,
                mostMegabytes == null ? usually : mostMegabytes << 20,
                progress,
                between,
                zone(zone),
                parts("--shards", shards),
                parts("--gpu-replicas", gpuReplicas),
                loads,
                open);
    }

    private static @Nullable String separator(@Nullable String text) {
        String known = text == null ? null : SEPARATORS.getOrDefault(text, text);
        if (known != null && (known.length() != 1 || Character.isLetterOrDigit(known.charAt(0)))) {
            throw InputException.at("--separator", String.valueOf(text), "one character, such as , | ; or tab");
        }
        return known;
    }

    /** The zone of times without an offset, or null. */
    public @Nullable ZoneId zone() {
        return zone(zone);
    }

    /**
     * The clock of this machine, showing times as the commands of a live manager do: in that zone, or in the machine's.
     *
     * @param source how messages call what is read in place of a log
     * @throws InputException when an option is given that only a log heeds
     */
    public Clock liveClock(String source) {
        requireLog("--format", format, source);
        requireLog("--virtual-cluster", virtualCluster, source);
        requireLog("--strict", strict ? "true" : null, source);
        requireLog("--max-mb", mostMegabytes, source);
        requireLog("--separator", separator, source);
        requireLog("--columns", columns, source);
        requireLog("--shards", shards, source);
        requireLog("--gpu-replicas", gpuReplicas, source);
        ZoneId given = zone();
        return Clock.system(given == null ? ZoneId.systemDefault() : given);
    }

    /** Refuses an option that only a log heeds where one is given beside a live source. */
    public static void requireLog(String option, @Nullable Object value, String source) {
        if (value != null) {
            throw InputException.at(option, value, "a log rather than %s beside it".formatted(source));
        }
    }

    private static @Nullable ZoneId zone(@Nullable String name) {
        try {
            return name == null ? null : ZoneId.of(name);
        } catch (DateTimeException e) {
            throw InputException.at(
                    "--zone",
                    String.valueOf(name),
                    "a zone such as Europe/Berlin, UTC or +08:00, not a name of summer or winter alone");
        }
    }

    private static int parts(String option, @Nullable Integer number) {
        if (number == null) {
            return 0;
        }
        InputException.within(1, 1000, option, number);
        return number;
    }

    public @Nullable String virtualCluster() {
        return virtualCluster;
    }

    public boolean strict() {
        return strict;
    }

    private static @Nullable LogFormat format(@Nullable String name) {
        if (name == null) {
            return null;
        }
        LogFormat format = LogFormats.byLabel(name);
        if (format == null) {
            throw InputException.at("--format", name, Nearest.oneOf(name, LogFormats.labels()));
        }
        return format;
    }

    /** The file, or the table to read of a folder with the tables of a trace. */
    private static Path log(String file) {
        Path path = InputFiles.path(file);
        Path table = TraceReader.tableIn(path);
        return InputFiles.readable(table == null ? path : table);
    }
}
