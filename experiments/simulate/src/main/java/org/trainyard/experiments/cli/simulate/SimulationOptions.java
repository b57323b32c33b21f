package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.cli.options.RankingOptions;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.simulation.ArrivalsSimulation;
import org.trainyard.experiments.simulation.LoggedPast;
import org.trainyard.experiments.simulation.PhysicalRuns;
import org.trainyard.experiments.simulation.Simulation;
import org.trainyard.experiments.simulation.SimulationSetup;
import org.trainyard.experiments.simulation.StreamedSimulation;
import org.trainyard.experiments.simulation.TraceSimulation;
import org.trainyard.experiments.simulation.TrainedContender;
import org.trainyard.experiments.simulation.VirtualClusterSimulation;
import org.trainyard.experiments.simulation.VirtualClusterTable;
import org.trainyard.experiments.training.Checkpoint;
import org.trainyard.experiments.training.PolicyFit;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a simulation is of: the jobs, the cluster, the world and who schedules. */
final class SimulationOptions {
    private static final int SAMPLE = 1000;

    @Mixin
    private JobOptions jobs = new JobOptions();

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

    @Option(
            names = "--stream",
            description =
                    "Draw the jobs of a generated trace while they run and keep none that has ended; percentiles are"
                            + " within half a per cent.")
    private boolean isStreamed;

    @Option(
            names = "--against",
            paramLabel = "FILE",
            description = "JSON file with runs of the same jobs on a physical cluster: also print the errors of "
                    + "this simulation and of the authors' simulator against them.")
    private @Nullable String against;

    /** The trained policy that runs, or null; says what is to be known of one that was trained for other rules. */
    @Nullable Checkpoint checkpoint(PrintWriter err) {
        if (schedulers.names().isEmpty() && checkpoint == null) {
            throw new InputException("simulate: expected --scheduler NAME, or --checkpoint DIR, or both");
        }
        if (checkpoint == null) {
            return null;
        }
        PhysicsConfig truth = world.truth();
        PhysicsConfig rules = truth == null ? PhysicsConfig.DEFAULT : truth;
        Checkpoint opened = PolicyFit.open("--checkpoint", checkpoint, rules, isDivided() ? null : topology());
        String remark = PolicyFit.note(checkpoint, opened, rules);
        if (remark != null) {
            err.println("note: " + remark);
        }
        return opened;
    }

    /** Whether each virtual cluster runs alone on servers of its own. */
    boolean isDivided() {
        return VirtualClusterTable.isTable(cluster);
    }

    Topology topology() {
        return Clusters.resolve("--cluster", cluster);
    }

    /** The simulation of one cluster, whose events may be written; the config gets which world this is. */
    Simulation simulation(
            Topology topology,
            @Nullable TrainedContender learned,
            ObjectNode config,
            boolean isLogged,
            PrintWriter err) {
        if (isStreamed) {
            return streamed(topology, config, isLogged, err);
        }
        if (schedulers.isPast()) {
            return past(topology, config, err);
        }
        return inflation == null
                ? jobsThatEnd(topology, learned, config, err)
                : arrivals(topology, config, inflation, err);
    }

    /** The simulation of virtual clusters. */
    Simulation divided(@Nullable TrainedContender learned, ObjectNode config, boolean isLogged, PrintWriter err) {
        if (inflation != null || against != null || isLogged || jobs.isGenerated()) {
            throw InputException.at(
                    "--cluster",
                    cluster,
                    "one cluster with --inflate, --against, --events, --record or a generated trace");
        }
        Map<String, Topology> clusters = VirtualClusterTable.read(InputFiles.path(cluster));
        List<SchedulerRegistry.Entry> named = named(err);
        PhysicsConfig truth = world.truth();
        Trace whole = jobs.logged(seed, config, err);
        List<SchedulerRegistry.Entry> entries = schedulers.serving(named, whole);
        Map<String, TraceSimulation> parts = new LinkedHashMap<>();
        VirtualClusterSimulation.split(whole, cluster, clusters.keySet())
                .forEach((name, part) -> parts.put(
                        name,
                        simulation(Objects.requireNonNull(clusters.get(name)), part, entries, truth, learned, config)));
        return new VirtualClusterSimulation(whole.name(), parts, seed, ranking.metric(RankingMetric.MEAN_JCT));
    }

    /** What the same jobs did on a physical cluster, where that was given. */
    @Nullable PhysicalRuns physical(Simulation simulation) {
        return against == null
                ? null
                : PhysicalRuns.read(
                        InputFiles.path(against), simulation.schedulers(), ((TraceSimulation) simulation).jobs());
    }

    /** Adds who runs, and from which seed. */
    void describe(ObjectNode config) {
        config.put("seed", seed).put("schedulers", String.join(",", schedulers.names()));
        if (checkpoint != null) {
            config.put("checkpoint", checkpoint);
        }
    }

    /** The schedulers asked for; says what those that read a cluster's own files leave out. */
    private List<SchedulerRegistry.Entry> named(PrintWriter err) {
        List<SchedulerRegistry.Entry> entries = schedulers.entries();
        Schedulers.withoutEffect(entries).forEach(line -> err.println("trainyard: " + line));
        return entries;
    }

    private Map<String, @Nullable String> optionsOfWholeTraces() {
        Map<String, @Nullable String> options = new LinkedHashMap<>();
        options.put("--against", against);
        options.put("--checkpoint", checkpoint);
        options.put("--inflate", inflation == null ? null : inflation.toString());
        jobs.addTo(options);
        return options;
    }

    private static void requireNone(Map<String, @Nullable String> options, String expectation) {
        options.forEach((option, value) -> {
            if (value != null) {
                throw InputException.at(option, value, expectation);
            }
        });
    }

    private Simulation streamed(Topology topology, ObjectNode config, boolean isLogged, PrintWriter err) {
        if (!jobs.isGenerated() || schedulers.isAll()) {
            throw InputException.at(
                    "--stream", jobs.trace(), "--trace generated and named schedulers, for the jobs are not kept");
        }
        Map<String, @Nullable String> ignored = optionsOfWholeTraces();
        ignored.put("--events or --record", isLogged ? "given" : null);
        requireNone(ignored, "nothing with --stream, which keeps no jobs");
        List<SchedulerRegistry.Entry> entries = named(err);
        // The jobs of a generated trace differ in their number of GPUs alone.
        Trace sample = TraceSimulation.generated(topology, jobs.settings(), Math.min(jobs.count(), SAMPLE), seed);
        SimulationSetup setup = world.setup(topology, sample, entries, world.truth(), models, seed, config);
        if (setup.rated()) {
            throw InputException.at(
                    "--scheduler",
                    schedulers.names().get(0),
                    "with --stream no preset that replays a published simulator");
        }
        config.put("streamed", true);
        return new StreamedSimulation(entries, setup, jobs.settings(), jobs.count());
    }

    private Simulation arrivals(Topology topology, ObjectNode config, double inflated, PrintWriter err) {
        if (jobs.isGenerated()) {
            throw InputException.at("--trace", jobs.trace(), "a trace file, for --inflate");
        }
        Map<String, @Nullable String> ignored = optionsOfWholeTraces();
        ignored.remove("--inflate");
        world.addTo(ignored);
        requireNone(ignored, "nothing with --inflate, where no job ends");
        config.put("world", "arrivals").put("inflate", inflated);
        return new ArrivalsSimulation(
                ArrivalsSimulation.policies(schedulers.names()), jobs.log(err), topology, inflated, seed);
    }

    private Simulation jobsThatEnd(
            Topology topology, @Nullable TrainedContender learned, ObjectNode config, PrintWriter err) {
        List<SchedulerRegistry.Entry> named = named(err);
        PhysicsConfig truth = world.truth();
        Trace whole = jobs.read(topology, seed, config, err);
        return simulation(topology, whole, schedulers.serving(named, whole), truth, learned, config);
    }

    private Simulation past(Topology topology, ObjectNode config, PrintWriter err) {
        Map<String, @Nullable String> ignored = optionsOfWholeTraces();
        world.addTo(ignored);
        requireNone(ignored, "nothing with --scheduler past, whose jobs run as in the log");
        if (jobs.isGenerated()) {
            throw InputException.at("--trace", jobs.trace(), "a log, for --scheduler past");
        }
        LoggedPast past = new LoggedPast(jobs.log(err), topology);
        SimulationSetup setup = SimulationSetup.ofPast(topology, seed);
        config.put("world", setup.label());
        return new TraceSimulation(
                        List.of(past.entry()),
                        null,
                        past.trace(),
                        setup,
                        TraceSimulation.Models.neutral(jobs.strict()),
                        ranking.metric(RankingMetric.MEAN_JCT))
                .remarking(past);
    }

    private TraceSimulation simulation(
            Topology topology,
            Trace jobTrace,
            List<SchedulerRegistry.Entry> entries,
            @Nullable PhysicsConfig truth,
            @Nullable TrainedContender learned,
            ObjectNode config) {
        SimulationSetup setup = world.setup(topology, jobTrace, entries, truth, models, seed, config);
        return new TraceSimulation(
                entries,
                learned,
                jobTrace,
                setup,
                models.models(!jobs.isGenerated() && jobs.strict()),
                ranking.metric(RankingMetric.MEAN_JCT));
    }

    /** The part of the run's configuration that says what is simulated; the same configuration gives the same files. */
    ObjectNode input() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        jobs.describe(node);
        return node.put("cluster", cluster);
    }
}
