package org.trainyard.experiments.cli.options;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.trace.Trace;
import org.trainyard.env.workload.trace.TraceFormat;
import org.trainyard.env.workload.trace.TraceReader;
import org.trainyard.experiments.config.yaml.Nearest;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.Progress;
import picocli.CommandLine.Option;

/** Options for reading traces. */
public final class TraceOptions {
    private static final long MOST_MEGABYTES = 1 << 20;

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

    @Option(names = "--strict", description = "Fail at the first bad line of the trace instead of leaving it out.")
    private boolean strict;

    @Option(
            names = "--most-mb",
            paramLabel = "N",
            description = "Refuse a trace with more megabytes of text, unpacked (default: ${DEFAULT-VALUE}).")
    private long mostMegabytes = TraceReader.Options.MOST_BYTES >> 20;

    /** Reads a trace and warns of its bad lines. */
    public Trace read(String file, PrintWriter err) {
        Trace trace = read(file);
        if (trace.badLineCount() > 0) {
            err.println("%,d bad lines were left out; the first is %s"
                    .formatted(trace.badLineCount(), trace.badLines().get(0)));
        }
        return trace;
    }

    public Trace read(String file) {
        if (mostMegabytes < 1 || mostMegabytes > MOST_MEGABYTES) {
            throw InputException.at("--most-mb", mostMegabytes, "1 to " + MOST_MEGABYTES);
        }
        Path path = InputFiles.readable(InputFiles.path(file));
        try (Progress progress = Progress.startLate("read", InputFiles.bytes(path))) {
            return TraceReader.read(
                    path,
                    new TraceReader.Options(
                            format(format),
                            virtualCluster,
                            strict,
                            mostMegabytes << 20,
                            bytes -> progress.to(bytes, path.toString())));
        }
    }

    public @Nullable String virtualCluster() {
        return virtualCluster;
    }

    public boolean strict() {
        return strict;
    }

    private static @Nullable TraceFormat format(@Nullable String name) {
        if (name == null) {
            return null;
        }
        TraceFormat format = TraceFormat.byLabel(name);
        if (format == null) {
            List<String> known =
                    Arrays.stream(TraceFormat.values()).map(TraceFormat::label).toList();
            throw InputException.at("--format", name, Nearest.oneOf(name, known));
        }
        return format;
    }
}
