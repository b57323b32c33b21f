package org.trainyard.experiments.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.SchedulerRegistry;
import org.trainyard.agents.heuristic.packing.PlacementPolicies;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.trace.Trace;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.papers.fgd.ArrivalsJson;
import org.trainyard.experiments.report.EventsJsonl;
import org.trainyard.experiments.report.JobsCsv;
import org.trainyard.experiments.report.SummaryJson;
import org.trainyard.experiments.run.RuntimePredictors;
import org.trainyard.experiments.simulation.ArrivalsSimulation;
import org.trainyard.experiments.simulation.ExpectedHashes;
import org.trainyard.experiments.simulation.PhysicalRuns;
import org.trainyard.experiments.simulation.SimulateReport;
import org.trainyard.experiments.simulation.SimulationSetup;
import org.trainyard.experiments.simulation.TraceSimulation;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs schedulers over one trace, from its first job to its last. */
@Command(
        name = "simulate",
        description = "Run schedulers over a trace on a cluster and compare what became of the jobs.",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard simulate --trace jobs.csv --cluster 20x8 --scheduler fifo,sjf,las --out runs/mine"
        })
final class SimulateCommand implements Callable<Integer> {
    private static final String GENERATED = "generated";

    @Option(
            names = "--trace",
            required = true,
            paramLabel = "FILE",
            description = "A trace file, plain or gzipped, or `generated`.")
    private String trace = GENERATED;

    @Option(
            names = "--cluster",
            required = true,
            paramLabel = "NAME|FILE",
            description =
                    "One of `trainyard list clusters`, a shorthand it lists such as 2x4x8 or fat-tree:8x8, or a file.")
    private String cluster = "";

    @Option(
            names = "--scheduler",
            required = true,
            split = ",",
            paramLabel = "NAME",
            description = "Schedulers of `trainyard list schedulers`, separated by commas.")
    private List<String> schedulers = List.of();

    @Option(names = "--seed", paramLabel = "N", description = "Root of all random draws (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--runtime",
            paramLabel = "KIND",
            description =
                    "Guesses of run times: history, forest, oracle or lognormal:SIGMA (default: history; presets that "
                            + "replay a published simulator have the oracle).")
    private @Nullable String runtime;

    @Option(
            names = "--physics",
            paramLabel = "FILE",
            description =
                    "What is true: interference, contention, restarts, outages, quotas; experiments/physics has examples. "
                            + "Presets that replay a published simulator do not heed it.")
    private @Nullable String physics;

    @Option(
            names = "--inflate",
            paramLabel = "RATIO",
            description =
                    "Let the jobs of the trace only arrive, in random order and repeated until they want RATIO times all "
                            + "GPUs; --scheduler then names placement policies: fgd, best-fit, dot-product, gpu-packing, "
                            + "gpu-clustering, random.")
    private @Nullable Double inflation;

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs of a generated trace (default: ${DEFAULT-VALUE}).")
    private int jobs = 1000;

    @Option(names = "--out", paramLabel = "DIR", description = "Write summary.json, jobs.csv and timing.json there.")
    private @Nullable String out;

    @Option(
            names = "--against",
            paramLabel = "FILE",
            description =
                    "Runs of these jobs on a physical cluster (JSON): print our errors, and its authors' simulator's.")
    private @Nullable String against;

    @Mixin
    private EventOptions events = new EventOptions();

    @Mixin
    private TraceOptions traces = new TraceOptions();

    @Option(names = "--json", description = "Print summary.json instead of a table.")
    private boolean json;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Override
    public Integer call() {
        if (inflation != null) {
            return arrive(inflation);
        }
        List<SchedulerRegistry.Entry> entries = entries();
        ExpectedHashes expected = events.expected(
                entries.stream().map(SchedulerRegistry.Entry::name).toList());
        Path eventFile = events.file();
        Topology topology = Clusters.resolve("--cluster", cluster);
        SimulationSetup world = SimulationSetup.of(entries, runtime(entries), physics());
        TraceSimulation simulation = simulation(topology, world);
        PhysicalRuns physical = against == null
                ? null
                : PhysicalRuns.read(
                        InputFiles.path(against),
                        entries.stream().map(SchedulerRegistry.Entry::name).toList(),
                        simulation.jobs());
        RunDirectory directory = directory(config(world));

        SimulateReport report = new SimulateReport();
        List<SchedulerRuns> runs = new ArrayList<>();
        logged(eventFile, log -> run(simulation, entries, log, report, runs));
        Evaluation evaluation = Evaluation.of(runs, seed);
        if (json) {
            common.out().print(SummaryJson.text(config(world), seed, evaluation));
        } else {
            report.print(evaluation, simulation, common.out());
            if (physical != null) {
                physical.print(evaluation, common.out());
            }
        }
        if (directory != null) {
            SummaryJson.write(directory.summary(), config(world), seed, evaluation);
            JobsCsv.write(directory.jobs(), evaluation);
            AtomicFiles.write(directory.timing(), SummaryJson.pretty(report.timing()));
        }
        return verified(expected == null ? null : expected.difference(evaluation));
    }

    private int verified(@Nullable String differs) {
        if (differs != null) {
            common.err().println("trainyard: " + differs);
            return CommandLine.ExitCode.SOFTWARE;
        }
        return CommandLine.ExitCode.OK;
    }

    /** Something that writes to an event log where there is one. */
    private interface Logging {
        void to(@Nullable EventsJsonl log);
    }

    private static void logged(@Nullable Path eventFile, Logging runs) {
        if (eventFile == null) {
            runs.to(null);
            return;
        }
        AtomicFiles.write(eventFile, stream -> {
            try (EventsJsonl log = new EventsJsonl(stream, EventOptions.isGzip(eventFile))) {
                runs.to(log);
            }
        });
    }

    /** Jobs only arrive, under placement policies. */
    private int arrive(double inflated) {
        if (trace.equals(GENERATED)) {
            throw InputException.at("--trace", trace, "a trace file, for --inflate");
        }
        if (runtime != null) {
            throw InputException.at("--runtime", runtime, "nothing with --inflate, where no job ends");
        }
        List<PlacementPolicies.Entry> policies = ArrivalsSimulation.policies(schedulers);
        ExpectedHashes expected = events.expected(
                policies.stream().map(PlacementPolicies.Entry::name).toList());
        Path eventFile = events.file();
        Topology topology = Clusters.resolve("--cluster", cluster);
        ArrivalsSimulation simulation = new ArrivalsSimulation(read(), topology, inflated, seed);
        ObjectNode config = input().put("world", "arrivals").put("inflate", inflated);
        RunDirectory directory = directory(config.deepCopy());
        SimulateReport report = new SimulateReport();
        logged(eventFile, log -> simulation.run(policies, log, report));
        String summary = ArrivalsJson.text(config, seed, simulation.runs());
        if (json) {
            common.out().print(summary);
        } else {
            simulation.print(common.out());
        }
        if (directory != null) {
            AtomicFiles.write(directory.summary(), summary);
            AtomicFiles.write(directory.timing(), SummaryJson.pretty(report.timing()));
        }
        return verified(expected == null ? null : expected.difference(simulation.runs()));
    }

    private static void run(
            TraceSimulation simulation,
            List<SchedulerRegistry.Entry> entries,
            @Nullable EventsJsonl log,
            SimulateReport report,
            List<SchedulerRuns> runs) {
        for (SchedulerRegistry.Entry entry : entries) {
            long start = System.nanoTime();
            SchedulerRuns run = simulation.run(entry, log);
            report.took(entry.name(), run.episodes().get(0).events(), (System.nanoTime() - start) / 1e9);
            runs.add(run);
        }
    }

    private List<SchedulerRegistry.Entry> entries() {
        List<SchedulerRegistry.Entry> entries = new ArrayList<>();
        for (String name : schedulers) {
            if (name.isBlank()) {
                throw InputException.at(
                        "--scheduler", String.join(",", schedulers), "names separated by single commas");
            }
            SchedulerRegistry.Entry entry = Schedulers.named("--scheduler", name.strip());
            if (entries.contains(entry)) {
                throw InputException.at("--scheduler", name, "each scheduler once");
            }
            entries.add(entry);
        }
        return entries;
    }

    /** Where guesses of run times come from, or null when nobody said. */
    private @Nullable RuntimeConfig runtime(List<SchedulerRegistry.Entry> entries) {
        if (runtime == null) {
            return null;
        }
        RuntimeConfig kind = RuntimePredictors.parse("--runtime", runtime);
        if (!(kind instanceof RuntimeConfig.Oracle)
                && entries.stream().anyMatch(SchedulerRegistry.Entry::replaysTrace)) {
            throw InputException.at("--runtime", runtime, "oracle, for a preset that replays a published simulator");
        }
        return kind;
    }

    private @Nullable PhysicsConfig physics() {
        return physics == null ? null : PhysicsConfig.read(InputFiles.path(physics));
    }

    private TraceSimulation simulation(Topology topology, SimulationSetup world) {
        if (jobs < 1) {
            throw InputException.at("--jobs", jobs, "a whole number, at least 1");
        }
        if (trace.equals(GENERATED)) {
            return TraceSimulation.generated(topology, world, jobs, seed);
        }
        return TraceSimulation.of(read(), topology, world, seed, traces.strict());
    }

    private Trace read() {
        Trace read = traces.read(trace);
        if (read.badLineCount() > 0) {
            common.err()
                    .println("%,d bad lines were left out; the first is %s"
                            .formatted(read.badLineCount(), read.badLines().get(0)));
        }
        return read;
    }

    private @Nullable RunDirectory directory(ObjectNode config) {
        if (out == null) {
            return null;
        }
        Path root = InputFiles.path(out);
        config.put("seed", seed).put("schedulers", String.join(",", schedulers));
        return RunDirectory.create(root, SummaryJson.pretty(config), RunDirectory.OtherRun.REFUSE);
    }

    /** What the run was asked for: the same again gives the same files. */
    private ObjectNode config(SimulationSetup world) {
        ObjectNode node = input().put("world", world.label()).put("runtime", RuntimePredictors.text(world.runtime()));
        return physics == null ? node : node.put("physics", physics);
    }

    private ObjectNode input() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("trace", trace);
        if (trace.equals(GENERATED)) {
            node.put("jobs", jobs);
        }
        return node.put("virtual_cluster", traces.virtualCluster()).put("cluster", cluster);
    }
}
