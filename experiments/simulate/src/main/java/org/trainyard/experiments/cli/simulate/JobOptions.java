package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.generator.FreezingSettings;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.JobMaker;
import org.trainyard.env.workload.generator.LimitSettings;
import org.trainyard.env.workload.generator.LimitedJobs;
import org.trainyard.env.workload.generator.PlannedSettings;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.simulation.LoggedCluster;
import org.trainyard.experiments.simulation.LoggedMaintenance;
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

    @Option(
            names = "--pipelines",
            paramLabel = "SHARE",
            description = "Share of all jobs, 0 to 1, that are pipelines or mixed parallelism, among those of "
                    + "two or more GPUs.")
    private @Nullable Double pipelines;

    @Option(
            names = "--freezing",
            paramLabel = "SHARE",
            description = "Share of the jobs on a ring, 0 to 1, with frozen layers (at most 3 %% of the gradient "
                    + "energy).")
    private @Nullable Double freezing;

    @Option(
            names = "--limits",
            paramLabel = "SHARE",
            description = "Generate user-style time limits (rounded, mostly overestimates) for jobs without; "
                    + "this share, 0 to 1, is too short and kills its job. Users get eight accounts.")
    private @Nullable Double limits;

    @Mixin
    private CommonOption maintenance = CommonOption.maintenance();

    @Mixin
    private TraceOptions traces = new TraceOptions();

    /** Whether the jobs are drawn rather than read. */
    public boolean isGenerated() {
        return trace.equals(GENERATED);
    }

    /** Whether jobs that cannot run are an error. */
    public boolean strict() {
        return traces.strict();
    }

    /** The cluster with what the files of a scheduler, or those beside the log, say of its servers. */
    public LoggedCluster cluster(Topology topology, List<String> schedulers) {
        return isGenerated()
                ? new LoggedCluster(topology)
                : LoggedCluster.of(topology, InputFiles.path(trace), schedulers);
    }

    public Trace read(LoggedCluster cluster, long seed, ObjectNode config, PrintWriter err) {
        return isGenerated()
                ? applied(
                        TraceSimulation.generated(cluster.topology(), generated.settings(), generated.jobs(), seed),
                        seed,
                        config)
                : applied(
                        cluster.demanding(
                                traces.keepingLoads(cluster.saysHosts()).read(trace, err)),
                        seed,
                        config);
    }

    /**
     * The maintenance of the log's cluster.
     *
     * @param isAsLogged whether gaps of the log, and a file beside it, show it without being named
     */
    public LoggedMaintenance maintenance(Trace read, Topology topology, boolean isAsLogged) {
        if (isGenerated() && maintenance.isGiven()) {
            throw InputException.at(
                    "--maintenance",
                    maintenance.text(),
                    "a log, or the key maintenance of --physics for generated jobs");
        }
        return isGenerated() || (!isAsLogged && !maintenance.isGiven())
                ? LoggedMaintenance.NONE
                : LoggedMaintenance.read(maintenance.value(), trace, read, traces.zone(), topology);
    }

    /** The jobs of the log. */
    public Trace logged(long seed, ObjectNode config, PrintWriter err) {
        return applied(traces.read(trace, err), seed, config);
    }

    private Trace applied(Trace read, long seed, ObjectNode config) {
        Trace trace = read;
        if (pipelines != null) {
            put("pipelines", pipelines, config);
            trace = trace.with(JobMaker.made(new PlannedSettings(pipelines), trace::jobs, seed));
        }
        if (freezing != null) {
            put("freezing", freezing, config);
            trace = trace.with(JobMaker.made(FreezingSettings.of(freezing), trace::jobs, seed));
        }
        if (limits != null) {
            put("limits", limits, config);
            LimitSettings settings = new LimitSettings(limits, LimitSettings.DEFAULT.accounts());
            trace = trace.with(LimitedJobs.of(trace.jobs(), settings, seed));
        }
        return trace;
    }

    private static void put(String name, double share, ObjectNode config) {
        InputException.within(0, 1, "--" + name, share);
        config.put(name, share);
    }

    /** The beginning of the configuration of a run. */
    public ObjectNode describe(String cluster) {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("trace", trace);
        if (isGenerated()) {
            generated.describe(node);
        } else {
            generated.requireGenerated();
        }
        return node.put("virtual_cluster", traces.virtualCluster()).put("cluster", cluster);
    }

    /** How many jobs a generated trace has, and how busy they keep the cluster. */
    static final class GeneratedTraceOptions {
        @Option(
                names = "--jobs",
                paramLabel = "N",
                description = "Number of jobs of a generated trace (default: ${DEFAULT-VALUE}).")
        private int jobs = 1000;

        @Option(
                names = "--load",
                paramLabel = "RATIO",
                description = "Offered load of a generated trace: GPU time of its jobs over that of the cluster "
                        + "during the arrivals (default: 0.9).")
        private @Nullable Double load;

        public int jobs() {
            InputException.within(1, Integer.MAX_VALUE, "--jobs", jobs);
            return jobs;
        }

        /** The distributions of the jobs. */
        public GeneratorSettings settings() {
            if (load == null) {
                return GeneratorSettings.DEFAULT;
            }
            InputException.within(0.01, 100, "--load", load);
            return GeneratorSettings.DEFAULT.with(load, GeneratorSettings.DEFAULT.maxGpus());
        }

        /** Refuses a load for a trace that is not generated. */
        public void requireGenerated() {
            if (load != null) {
                throw InputException.at("--load", load, "nothing with a trace file, whose jobs have their times");
            }
        }

        /** Puts the options into the configuration of a run. */
        public ObjectNode describe(ObjectNode config) {
            config.put("jobs", jobs);
            return load == null ? config : config.put("load", load);
        }
    }
}
