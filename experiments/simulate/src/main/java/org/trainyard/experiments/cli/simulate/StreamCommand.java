package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.SeedOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.simulation.SimulationSetup;
import org.trainyard.experiments.simulation.StreamedSimulation;
import org.trainyard.experiments.simulation.TraceSimulation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Simulates generated jobs that are drawn while they run. */
@Command(
        name = "stream",
        description = "Run schedulers on a generated trace without keeping its jobs, so that memory does not "
                + "grow; percentiles are within 0.5 %%.",
        footer = {"", "Example: trainyard simulate stream --jobs 1000000 --cluster medium --scheduler fifo,sjf"})
final class StreamCommand extends Subcommand {
    private static final int SAMPLE = 1000;

    @Mixin
    private JobOptions.GeneratedTraceOptions jobs = new JobOptions.GeneratedTraceOptions();

    @Mixin
    private CommonOption cluster =
            CommonOption.cluster("Cluster that runs the jobs.").required();

    @Mixin
    private SchedulerOptions schedulers = new SchedulerOptions();

    @Mixin
    private SeedOption seed = new SeedOption();

    @Mixin
    private WorldOptions world = new WorldOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    protected void run() {
        if (!schedulers.isGiven() || schedulers.isAll()) {
            throw InputException.at("--scheduler", String.join(",", schedulers.names()), "named schedulers");
        }
        Topology topology = Clusters.resolve("--cluster", cluster.text());
        ObjectNode config = jobs.describe(JsonNodeFactory.instance.objectNode().put("trace", "generated"))
                .putNull("virtual_cluster")
                .put("cluster", cluster.text());
        List<SchedulerRegistry.Entry> entries = schedulers.entries(err());
        // The jobs of a generated trace differ in their number of GPUs alone.
        Trace sample =
                TraceSimulation.generated(topology, jobs.settings(), Math.min(jobs.jobs(), SAMPLE), seed.value());
        SimulationSetup setup =
                world.setup(topology, sample, entries, world.truth(err()), new ModelOptions(), seed.value(), config);
        if (setup.rated()) {
            throw InputException.at(
                    "--scheduler", schedulers.names().get(0), "no preset that replays a published simulator");
        }
        config.put("streamed", true);
        StreamedSimulation simulation = new StreamedSimulation(entries, setup, jobs.settings(), jobs.jobs());
        ObjectNode whole = schedulers.describe(config, seed.value());
        failUnless(output.run(simulation, config, whole, directory -> simulation.run(null), out(), err()));
    }
}
