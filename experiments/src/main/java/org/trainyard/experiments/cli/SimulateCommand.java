package org.trainyard.experiments.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.SchedulerRegistry;
import org.trainyard.agents.learned.policy.InferencePolicy;
import org.trainyard.agents.learned.policy.TrainedPolicy;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.trace.Trace;
import org.trainyard.experiments.cli.options.EventOptions;
import org.trainyard.experiments.cli.options.ExplainOption;
import org.trainyard.experiments.cli.options.FreezingOptions;
import org.trainyard.experiments.cli.options.GeneratedTraceOptions;
import org.trainyard.experiments.cli.options.LimitOptions;
import org.trainyard.experiments.cli.options.ModelOptions;
import org.trainyard.experiments.cli.options.PlanOptions;
import org.trainyard.experiments.cli.options.RankingOptions;
import org.trainyard.experiments.cli.options.ReplaceOption;
import org.trainyard.experiments.cli.options.SchedulerOptions;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.cli.options.TraceOptions;
import org.trainyard.experiments.cli.options.VerifyOptions;
import org.trainyard.experiments.cli.options.WideOption;
import org.trainyard.experiments.cli.options.WorldOptions;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.config.topology.VirtualClusterTable;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.simulation.ArrivalsSimulation;
import org.trainyard.experiments.simulation.ExpectedHashes;
import org.trainyard.experiments.simulation.LoggedPast;
import org.trainyard.experiments.simulation.PhysicalRuns;
import org.trainyard.experiments.simulation.Simulation;
import org.trainyard.experiments.simulation.SimulationSetup;
import org.trainyard.experiments.simulation.StreamedSimulation;
import org.trainyard.experiments.simulation.TraceSimulation;
import org.trainyard.experiments.simulation.TrainedContender;
import org.trainyard.experiments.simulation.VirtualClusterSimulation;
import org.trainyard.experiments.timeline.RunLogs;
import org.trainyard.experiments.timeline.RunRecorder;
import org.trainyard.experiments.training.Checkpoint;
import org.trainyard.experiments.training.PolicyFit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs schedulers on one trace and compares them. */
@Command(
        name = "simulate",
        description = "Run schedulers on a trace and a cluster, and compare job completion times (JCT).",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard simulate --trace jobs.csv --cluster 20x8 --scheduler fifo,sjf,las --out runs/mine"
        })
final class SimulateCommand extends Subcommand {
    private static final String GENERATED = "generated";
    private static final int SAMPLE = 1000;

    @Option(
            names = "--trace",
            required = true,
            paramLabel = "FILE",
            description = "Trace file, plain or gzipped, or `generated`.")
    private String trace = GENERATED;

    @Option(
            names = "--cluster",
            required = true,
            paramLabel = "NAME|FILE",
            description = "Cluster: a name of `trainyard list clusters`, a shorthand such as 2x4x8 or fat-tree:8x8, "
                    + "or a topology file. Or a table of virtual clusters, CSV with the columns "
                    + "virtual_cluster,cluster: each runs alone on its own servers.")
    private String cluster = "";

    @Mixin
    private SchedulerOptions schedulers = new SchedulerOptions();

    @Mixin
    private RankingOptions ranking = new RankingOptions();

    @Mixin
    private ModelOptions models = new ModelOptions();

    @Option(
            names = "--checkpoint",
            paramLabel = "DIR",
            description = "Trained policy to run as 'learned', after the schedulers.")
    private @Nullable String checkpoint;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of all random draws (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Mixin
    private WorldOptions world = new WorldOptions();

    @Option(
            names = "--inflate",
            paramLabel = "RATIO",
            description = "Arrivals only, as in the FGD paper: jobs of the trace are drawn in random order until "
                    + "they demand RATIO times the GPUs of the cluster, and none ends. --scheduler then names "
                    + "placement policies: fgd, best-fit, dot-product, gpu-packing, gpu-clustering, random.")
    private @Nullable Double inflation;

    @Mixin
    private GeneratedTraceOptions generated = new GeneratedTraceOptions();

    @Option(
            names = "--stream",
            description =
                    "Draw the jobs of a generated trace while they run and keep none that has ended; percentiles are"
                            + " within half a per cent.")
    private boolean isStreamed;

    @Mixin
    private PlanOptions plans = new PlanOptions();

    @Mixin
    private FreezingOptions freezing = new FreezingOptions();

    @Mixin
    private LimitOptions limits = new LimitOptions();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write summary.json, jobs.csv, series.csv, report.html and timing.json to this" + " folder.")
    private @Nullable String out;

    @Mixin
    private ReplaceOption replace = new ReplaceOption();

    @Option(
            names = "--against",
            paramLabel = "FILE",
            description = "JSON file with runs of the same jobs on a physical cluster: also print the errors of "
                    + "this simulation and of the authors' simulator against them.")
    private @Nullable String against;

    @Mixin
    private EventOptions events = new EventOptions();

    @Mixin
    private ExplainOption explain = new ExplainOption();

    @Mixin
    private VerifyOptions hashes = new VerifyOptions();

    @Mixin
    private TraceOptions traces = new TraceOptions();

    @Option(names = "--json", description = "Print summary.json instead of tables.")
    private boolean json;

    @Mixin
    private WideOption wide = new WideOption();

    @Override
    protected void run() {
        if (schedulers.names().isEmpty() && checkpoint == null) {
            throw new InputException("simulate: expected --scheduler NAME, or --checkpoint DIR, or both");
        }
        Checkpoint opened = checkpoint == null ? null : fitting(checkpoint);
        if (opened == null) {
            run(null);
            return;
        }
        try (TrainedPolicy policy = opened.policy();
                InferencePolicy learned = policy.toInferencePolicy()) {
            run(new TrainedContender(learned, ConfigReader.read(opened.config(), List.of())));
        }
    }

    private Checkpoint fitting(String name) {
        PhysicsConfig truth = world.truth();
        PhysicsConfig rules = truth == null ? PhysicsConfig.DEFAULT : truth;
        Checkpoint opened = PolicyFit.open(
                "--checkpoint",
                name,
                rules,
                VirtualClusterTable.isTable(cluster) ? null : Clusters.resolve("--cluster", cluster));
        String remark = PolicyFit.note(name, opened, rules);
        if (remark != null) {
            err().println("note: " + remark);
        }
        return opened;
    }

    private void run(@Nullable TrainedContender learned) {
        events.file();
        if (VirtualClusterTable.isTable(cluster)) {
            runVirtualClusters(learned);
            return;
        }
        Topology topology = Clusters.resolve("--cluster", cluster);
        ObjectNode config = input();
        Simulation simulation;
        if (isStreamed) {
            simulation = streamed(topology, config);
        } else if (schedulers.isPast()) {
            simulation = past(topology, config);
        } else {
            simulation =
                    inflation == null ? jobsThatEnd(topology, learned, config) : arrivals(topology, config, inflation);
        }
        List<String> names = simulation.schedulers();
        ExpectedHashes expected = hashes.expected(names);
        PhysicalRuns physical = against == null
                ? null
                : PhysicalRuns.read(InputFiles.path(against), names, ((TraceSimulation) simulation).jobs());
        try (RunDirectory directory = directory(config.deepCopy())) {
            RunLogs logs = events.logs(directory);
            RunRecorder recorder = new RunRecorder(topology, names.size(), 1);
            explain.addTo(recorder);
            if (directory == null && logs.eventFile() == null && !explain.isAny()) {
                simulation.run(null);
            } else {
                logs.write(recorder, topology, () -> simulation.run(recorder));
            }
            show(simulation, config);
            explain.print(recorder, json ? err() : out());
            if (!json && physical != null) {
                physical.print(((TraceSimulation) simulation).evaluation(), out());
            }
            keep(simulation, config, directory, expected);
        }
    }

    private void show(Simulation simulation, ObjectNode config) {
        if (json) {
            out().print(simulation.summary(config));
        } else {
            simulation.print(out(), wide.isWide());
        }
    }

    private void keep(
            Simulation simulation,
            ObjectNode config,
            @Nullable RunDirectory directory,
            @Nullable ExpectedHashes expected) {
        if (directory != null) {
            simulation.write(directory, config);
        }
        if (expected != null) {
            verify(expected, simulation.hashes());
        }
    }

    /** The schedulers asked for; says what those that read a cluster's own files leave out. */
    private List<SchedulerRegistry.Entry> named() {
        List<SchedulerRegistry.Entry> entries = schedulers.entries();
        Schedulers.withoutEffect(entries).forEach(line -> err().println("trainyard: " + line));
        return entries;
    }

    private void runVirtualClusters(@Nullable TrainedContender learned) {
        if (inflation != null || against != null || events.isAny() || trace.equals(GENERATED)) {
            throw InputException.at(
                    "--cluster",
                    cluster,
                    "one cluster with --inflate, --against, --events, --record or a generated trace");
        }
        Map<String, Topology> clusters = VirtualClusterTable.read(InputFiles.path(cluster));
        ObjectNode config = input();
        List<SchedulerRegistry.Entry> named = named();
        PhysicsConfig truth = world.truth();
        Trace whole = applied(traces.read(trace, err()), config);
        List<SchedulerRegistry.Entry> entries = schedulers.serving(named, whole);
        Map<String, TraceSimulation> parts = new LinkedHashMap<>();
        VirtualClusterSimulation.split(whole, cluster, clusters.keySet())
                .forEach((name, part) -> parts.put(
                        name,
                        simulation(Objects.requireNonNull(clusters.get(name)), part, entries, truth, learned, config)));
        Simulation simulation =
                new VirtualClusterSimulation(whole.name(), parts, seed, ranking.metric(RankingMetric.MEAN_JCT));
        ExpectedHashes expected = hashes.expected(simulation.schedulers());
        try (RunDirectory directory = directory(config.deepCopy())) {
            simulation.run(null);
            show(simulation, config);
            keep(simulation, config, directory, expected);
        }
    }

    private void verify(ExpectedHashes expected, List<Simulation.LogHash> found) {
        String differs = expected.difference(found);
        err().println("trainyard: " + (differs == null ? expected.verified(found) : differs));
        if (differs != null) {
            exitWith(CommandLine.ExitCode.SOFTWARE);
        }
    }

    /** Options that would be ignored with {@code --inflate} are refused. */
    private void requireNothingElse() {
        if (trace.equals(GENERATED)) {
            throw InputException.at("--trace", trace, "a trace file, for --inflate");
        }
        Map<String, @Nullable String> ignored = optionsOfWholeTraces();
        world.addTo(ignored);
        requireNone(ignored, "nothing with --inflate, where no job ends");
    }

    private Map<String, @Nullable String> optionsOfWholeTraces() {
        Map<String, @Nullable String> options = new LinkedHashMap<>();
        options.put("--against", against);
        options.put("--checkpoint", checkpoint);
        options.put("--pipelines", plans.text());
        options.put("--freezing", freezing.text());
        options.put("--limits", limits.text());
        return options;
    }

    private static void requireNone(Map<String, @Nullable String> options, String expectation) {
        options.forEach((option, value) -> {
            if (value != null) {
                throw InputException.at(option, value, expectation);
            }
        });
    }

    private Simulation streamed(Topology topology, ObjectNode config) {
        if (!trace.equals(GENERATED) || schedulers.isAll()) {
            throw InputException.at(
                    "--stream", trace, "--trace generated and named schedulers, for the jobs are not kept");
        }
        Map<String, @Nullable String> ignored = optionsOfWholeTraces();
        ignored.put("--inflate", inflation == null ? null : inflation.toString());
        ignored.put("--events or --record", events.isAny() ? "given" : null);
        requireNone(ignored, "nothing with --stream, which keeps no jobs");
        List<SchedulerRegistry.Entry> entries = named();
        // The jobs of a generated trace differ in their number of GPUs alone.
        Trace sample =
                TraceSimulation.generated(topology, generated.settings(), Math.min(generated.jobs(), SAMPLE), seed);
        SimulationSetup setup = world.setup(topology, sample, entries, world.truth(), models, config);
        if (setup.rated()) {
            throw InputException.at(
                    "--scheduler",
                    schedulers.names().get(0),
                    "with --stream no preset that replays a published simulator");
        }
        config.put("streamed", true);
        return new StreamedSimulation(entries, topology, setup, generated.settings(), generated.jobs(), seed);
    }

    private Simulation arrivals(Topology topology, ObjectNode config, double inflated) {
        requireNothingElse();
        config.put("world", "arrivals").put("inflate", inflated);
        return new ArrivalsSimulation(
                ArrivalsSimulation.policies(schedulers.names()), traces.read(trace, err()), topology, inflated, seed);
    }

    private Simulation jobsThatEnd(Topology topology, @Nullable TrainedContender learned, ObjectNode config) {
        List<SchedulerRegistry.Entry> named = named();
        PhysicsConfig truth = world.truth();
        Trace read = trace.equals(GENERATED)
                ? TraceSimulation.generated(topology, generated.settings(), generated.jobs(), seed)
                : traces.read(trace, err());
        Trace whole = applied(read, config);
        return simulation(topology, whole, schedulers.serving(named, whole), truth, learned, config);
    }

    private Simulation past(Topology topology, ObjectNode config) {
        Map<String, @Nullable String> ignored = optionsOfWholeTraces();
        ignored.put("--inflate", inflation == null ? null : inflation.toString());
        world.addTo(ignored);
        requireNone(ignored, "nothing with --scheduler past, whose jobs run as in the log");
        if (trace.equals(GENERATED)) {
            throw InputException.at("--trace", trace, "a log, for --scheduler past");
        }
        LoggedPast past = new LoggedPast(traces.read(trace, err()), topology);
        SimulationSetup setup = SimulationSetup.ofPast();
        config.put("world", setup.label());
        return new TraceSimulation(
                        List.of(past.entry()),
                        null,
                        past.trace(),
                        topology,
                        setup,
                        TraceSimulation.Models.NEUTRAL,
                        seed,
                        traces.strict(),
                        ranking.metric(RankingMetric.MEAN_JCT))
                .remarking(past);
    }

    private Trace applied(Trace read, ObjectNode config) {
        return limits.applied(freezing.applied(plans.applied(read, seed, config), seed, config), seed, config);
    }

    private TraceSimulation simulation(
            Topology topology,
            Trace jobTrace,
            List<SchedulerRegistry.Entry> entries,
            @Nullable PhysicsConfig truth,
            @Nullable TrainedContender learned,
            ObjectNode config) {
        SimulationSetup setup = world.setup(topology, jobTrace, entries, truth, models, config);
        return new TraceSimulation(
                entries,
                learned,
                jobTrace,
                topology,
                setup,
                models.models(),
                seed,
                !trace.equals(GENERATED) && traces.strict(),
                ranking.metric(RankingMetric.MEAN_JCT));
    }

    private @Nullable RunDirectory directory(ObjectNode config) {
        if (out == null) {
            return null;
        }
        Path root = InputFiles.path(out);
        config.put("seed", seed).put("schedulers", String.join(",", schedulers.names()));
        if (checkpoint != null) {
            config.put("checkpoint", checkpoint);
        }
        return RunDirectory.create(root, JsonText.pretty(config), replace.otherRun());
    }

    /** The part of the run's configuration that says what is simulated; the same configuration gives the same files. */
    private ObjectNode input() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("trace", trace);
        if (trace.equals(GENERATED)) {
            generated.describe(node);
        } else {
            generated.requireGenerated();
        }
        return node.put("virtual_cluster", traces.virtualCluster()).put("cluster", cluster);
    }
}
