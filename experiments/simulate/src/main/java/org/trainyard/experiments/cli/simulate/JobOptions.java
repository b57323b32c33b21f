package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.cli.options.TraceOptions;
import org.trainyard.experiments.simulation.TraceSimulation;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The jobs of a simulation: a trace or generated ones, and what is laid over them. */
public final class JobOptions {
    private static final String GENERATED = "generated";

    @Option(
            names = "--trace",
            required = true,
            paramLabel = "FILE",
            description = "Trace file, plain or gzipped, or `generated`.")
    private String trace = GENERATED;

    @Mixin
    private GeneratedTraceOptions generated = new GeneratedTraceOptions();

    @Mixin
    private PlanOptions plans = new PlanOptions();

    @Mixin
    private FreezingOptions freezing = new FreezingOptions();

    @Mixin
    private LimitOptions limits = new LimitOptions();

    @Mixin
    private TraceOptions traces = new TraceOptions();

    /** The file, or {@code generated}. */
    public String trace() {
        return trace;
    }

    /** Whether the jobs are drawn rather than read. */
    public boolean isGenerated() {
        return trace.equals(GENERATED);
    }

    /** Whether jobs that cannot run are an error. */
    public boolean strict() {
        return traces.strict();
    }

    /** How jobs are generated. */
    public GeneratorSettings settings() {
        return generated.settings();
    }

    /** How many jobs are generated. */
    public int count() {
        return generated.jobs();
    }

    /** The jobs for a cluster. */
    public Trace read(Topology topology, long seed, ObjectNode config, PrintWriter err) {
        return isGenerated()
                ? applied(TraceSimulation.generated(topology, settings(), count(), seed), seed, config)
                : logged(seed, config, err);
    }

    /** The jobs of the log. */
    public Trace logged(long seed, ObjectNode config, PrintWriter err) {
        return applied(log(err), seed, config);
    }

    public Trace log(PrintWriter err) {
        return traces.read(trace, err);
    }

    private Trace applied(Trace read, long seed, ObjectNode config) {
        return limits.applied(freezing.applied(plans.applied(read, seed, config), seed, config), seed, config);
    }

    /** Adds what is laid over the jobs by option, null where it was not given. */
    public void addTo(Map<String, @Nullable String> options) {
        options.put("--pipelines", plans.text());
        options.put("--freezing", freezing.text());
        options.put("--limits", limits.text());
    }

    /** Adds which jobs these are. */
    public void describe(ObjectNode node) {
        node.put("trace", trace);
        if (isGenerated()) {
            generated.describe(node);
        } else {
            generated.requireGenerated();
        }
        node.put("virtual_cluster", traces.virtualCluster());
    }
}
