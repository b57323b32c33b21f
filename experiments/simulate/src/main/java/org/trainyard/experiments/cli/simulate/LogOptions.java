package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.io.InputFiles;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The trace of a simulation, and how it is read. */
final class LogOptions {
    @Option(names = "--trace", required = true, paramLabel = "FILE", description = "Trace file, plain or gzipped.")
    private String trace = "";

    @Mixin
    private TraceOptions traces = new TraceOptions();

    Trace read(PrintWriter err) {
        return traces.read(trace, err);
    }

    Path path() {
        return InputFiles.path(trace);
    }

    /** Whether jobs that cannot run are an error. */
    boolean strict() {
        return traces.strict();
    }

    /** The beginning of the configuration of a run. */
    ObjectNode describe(String cluster) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("trace", trace)
                .put("virtual_cluster", traces.virtualCluster())
                .put("cluster", cluster);
    }
}
