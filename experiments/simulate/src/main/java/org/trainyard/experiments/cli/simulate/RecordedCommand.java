package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.simulation.LoggedCluster;
import org.trainyard.experiments.simulation.LoggedPast;
import org.trainyard.experiments.simulation.SimulationSetup;
import org.trainyard.experiments.simulation.TraceSimulation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Replays a log as it was. */
@Command(
        name = "recorded",
        description = "Replay a log as it was recorded, with the same starts, servers and run times.",
        footer = {"", "Example: trainyard simulate recorded --trace log.txt --cluster 8x4 --out runs/recorded --record"
        })
final class RecordedCommand extends Subcommand {
    /** A seed without effect: nothing is drawn. */
    private static final long SEED = 1;

    @Mixin
    private LogOptions log = new LogOptions();

    @Mixin
    private CommonOption cluster = CommonOption.cluster("Cluster of the log.").required();

    @Mixin
    private RecordingOptions recording = new RecordingOptions();

    @Mixin
    private ExplainOption explain = new ExplainOption();

    @Override
    protected void run() {
        Topology topology = Clusters.resolve("--cluster", cluster.text());
        LoggedCluster.of(topology, log.path(), List.of());
        LoggedPast past = new LoggedPast(log.read(err()), topology);
        SimulationSetup setup = SimulationSetup.ofPast(topology, SEED);
        ObjectNode config = log.describe(cluster.text()).put("world", setup.label());
        TraceSimulation simulation = new TraceSimulation(
                        List.of(past.entry()),
                        null,
                        past.trace(),
                        setup,
                        TraceSimulation.Models.neutral(log.strict()),
                        RankingMetric.MEAN_JCT)
                .remarking(past);
        ObjectNode whole = config.deepCopy().put("seed", SEED).put("schedulers", LoggedPast.NAME);
        failUnless(recording.run(simulation, topology, config, whole, explain, out(), err()));
    }
}
