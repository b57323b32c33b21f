package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.RankingOptions;
import org.trainyard.experiments.cli.options.SeedOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.simulation.LogAccount;
import org.trainyard.experiments.simulation.LoggedCluster;
import org.trainyard.experiments.simulation.LoggedMaintenance;
import org.trainyard.experiments.simulation.PhysicalRuns;
import org.trainyard.experiments.simulation.SimulationSetup;
import org.trainyard.experiments.simulation.TraceSimulation;
import org.trainyard.experiments.simulation.TrainedContender;
import org.trainyard.experiments.simulation.VirtualClusterSimulation;
import org.trainyard.experiments.simulation.VirtualClusterTable;
import org.trainyard.experiments.training.Checkpoint;
import org.trainyard.experiments.training.PolicyFit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs schedulers on one trace and compares them. */
@Command(
        name = "simulate",
        description = "Run schedulers on a trace and a cluster, and compare job completion times (JCT).",
        subcommands = {ArrivalsCommand.class, StreamCommand.class, RecordedCommand.class},
        footer = {
            "",
            "Example: trainyard simulate --trace jobs.csv --cluster 20x8 --scheduler fifo,sjf,las --out runs/mine"
        })
public final class SimulateCommand extends Subcommand {
    @Mixin
    private JobOptions jobs = new JobOptions();

    @Mixin
    private PartialOption partial = new PartialOption();

    @Mixin
    private CommonOption cluster = CommonOption.cluster(
                    "Cluster: a name of `trainyard list clusters`, a shorthand such as 2x4x8 or "
                            + "fat-tree:8x8, a topology file, or a CSV virtual_cluster,cluster, each of which runs "
                            + "alone.")
            .required();

    @Mixin
    private CommonOption slurm = CommonOption.slurm();

    @Mixin
    private SchedulerOptions schedulers = new SchedulerOptions();

    @Mixin
    private RankingOptions ranking = new RankingOptions();

    @Mixin
    private ModelOptions models = new ModelOptions();

    @Mixin
    private CommonOption checkpoint =
            CommonOption.checkpoint("Trained policy to run as 'learned', after the schedulers.");

    @Mixin
    private SeedOption seed = new SeedOption();

    @Mixin
    private WorldOptions world = new WorldOptions();

    @Option(
            names = "--validate-against",
            paramLabel = "FILE",
            description = "JSON file with runs of the same jobs on a physical cluster: also print the errors of "
                    + "this and of the authors' simulation.")
    private @Nullable String measured;

    @Mixin
    private RecordingOptions recording = new RecordingOptions();

    @Mixin
    private ExplainOption explain = new ExplainOption();

    @Override
    protected void run() {
        if (!schedulers.isGiven() && !checkpoint.isGiven()) {
            throw new InputException("simulate: expected --scheduler NAME, or --checkpoint DIR, or both");
        }
        PhysicsConfig given = world.truth(err());
        Checkpoint opened = checkpoint(given == null ? PhysicsConfig.DEFAULT : given);
        if (opened == null) {
            run(given, null);
            return;
        }
        run(given, new TrainedContender(opened.policy(), ConfigReader.read(opened.config(), List.of())));
    }

    /** The trained policy that runs, or null; says what is to be known of one that was trained for other rules. */
    private @Nullable Checkpoint checkpoint(PhysicsConfig rules) {
        if (!checkpoint.isGiven()) {
            return null;
        }
        Checkpoint opened = PolicyFit.open("--checkpoint", checkpoint.text(), rules, isDivided() ? null : topology());
        String remark = PolicyFit.note(checkpoint.text(), opened, rules);
        if (remark != null) {
            err().println("note: " + remark);
        }
        return opened;
    }

    /** Whether each virtual cluster runs alone on servers of its own. */
    private boolean isDivided() {
        return VirtualClusterTable.isTable(cluster.text());
    }

    private Topology topology() {
        return Clusters.resolve("--cluster", cluster.text());
    }

    private void run(@Nullable PhysicsConfig truth, @Nullable TrainedContender learned) {
        if (isDivided()) {
            runVirtualClusters(truth, learned);
            return;
        }
        LoggedCluster logged = jobs.cluster(topology(), LoggedCluster.configured(slurm.value(), schedulers.names()));
        Topology topology = logged.topology();
        ObjectNode config = jobs.describe(cluster.text());
        List<SchedulerRegistry.Entry> named = schedulers.entries(err());
        Trace trace = jobs.read(logged, seed.value(), config, err());
        requireMost(logged, trace);
        if (models.isAsLogged() && named.stream().anyMatch(one -> !LoggedCluster.isSlurmOfFiles(one.name()))) {
            trace = logged.startable(trace);
        }
        TraceSimulation simulation =
                simulation(logged, trace, schedulers.serving(named, trace), truth, learned, config);
        Path runs = measured == null ? null : InputFiles.path(measured);
        PhysicalRuns physical =
                runs == null ? null : PhysicalRuns.read(runs, simulation.schedulers(), simulation.jobs());
        failUnless(recording.run(simulation, topology, config, whole(config), explain, out(), err()));
        if (!recording.output().isJson() && physical != null) {
            physical.answer(simulation.evaluation()).print(out());
        }
    }

    private void requireMost(LoggedCluster logged, Trace trace) {
        if (!jobs.isGenerated() && !jobs.strict()) {
            LogAccount.of(logged.topology(), trace.jobs(), trace.leftOut())
                    .requireMost(trace.name(), partial.isGiven(), logged);
        }
    }

    private void runVirtualClusters(@Nullable PhysicsConfig truth, @Nullable TrainedContender learned) {
        if (measured != null || recording.isLogged() || jobs.isGenerated()) {
            throw InputException.at(
                    "--cluster",
                    cluster.text(),
                    "one cluster with --validate-against, --events, --record or a generated trace");
        }
        ObjectNode config = jobs.describe(cluster.text());
        Map<String, Topology> clusters = VirtualClusterTable.read(InputFiles.path(cluster.text()));
        List<SchedulerRegistry.Entry> named = schedulers.entries(err());
        Trace whole = jobs.logged(seed.value(), config, err());
        List<SchedulerRegistry.Entry> entries = schedulers.serving(named, whole);
        Map<String, TraceSimulation> parts = new LinkedHashMap<>();
        VirtualClusterSimulation.split(whole, cluster.text(), clusters.keySet())
                .forEach((name, part) -> parts.put(
                        name,
                        simulation(
                                new LoggedCluster(Objects.requireNonNull(clusters.get(name))),
                                part,
                                entries,
                                truth,
                                learned,
                                config)));
        VirtualClusterSimulation simulation =
                new VirtualClusterSimulation(whole.name(), parts, seed.value(), ranking.metric(RankingMetric.MEAN_JCT));
        failUnless(recording
                .output()
                .run(simulation, config, whole(config), directory -> simulation.run(null), out(), err()));
    }

    private TraceSimulation simulation(
            LoggedCluster logged,
            Trace trace,
            List<SchedulerRegistry.Entry> entries,
            @Nullable PhysicsConfig truth,
            @Nullable TrainedContender learned,
            ObjectNode config) {
        SimulationSetup setup = world.setup(logged.topology(), trace, entries, truth, models, seed.value(), config)
                .limited(logged);
        if (!setup.isMaintained() && !isDivided()) {
            LoggedMaintenance windows = jobs.maintenance(trace, logged.topology(), setup.rated());
            windows.notes().forEach(note -> err().println("note: " + note));
            windows.describe(config);
            setup = setup.maintained(windows.windows());
        }
        return new TraceSimulation(
                entries,
                learned,
                trace,
                setup,
                models.models(!jobs.isGenerated() && jobs.strict()),
                ranking.metric(RankingMetric.MEAN_JCT));
    }

    /** The configuration with the schedulers and the seed; the same one gives the same files. */
    private ObjectNode whole(ObjectNode config) {
        ObjectNode whole = schedulers.describe(config, seed.value());
        return checkpoint.isGiven() ? whole.put("checkpoint", checkpoint.text()) : whole;
    }
}
