package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.SeedOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.simulation.ArrivalsSimulation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Fills a cluster with jobs that never end, and compares placement policies. */
@Command(
        name = "arrivals",
        description = "Fill a cluster with jobs that never end, as in the FGD paper, and compare the GPUs "
                + "that placement policies allocate.",
        footer = {
            "",
            "Example: trainyard simulate arrivals --trace pods.csv --cluster 20x8 --scheduler fgd,best-fit --demand 1.3"
        })
final class ArrivalsCommand extends Subcommand {
    @Mixin
    private LogOptions log = new LogOptions();

    @Mixin
    private CommonOption cluster =
            CommonOption.cluster("Cluster that is filled.").required();

    @Mixin
    private CommonOption policies = CommonOption.scheduler(
                    "Placement policies: fgd, best-fit, dot-product, gpu-packing, gpu-clustering, random.")
            .list()
            .required();

    @Option(
            names = "--demand",
            required = true,
            paramLabel = "RATIO",
            description = "Draw jobs until their demand is this multiple of the cluster's GPUs, 0.01 to 100.")
    private double demand;

    @Mixin
    private SeedOption seed = new SeedOption();

    @Mixin
    private RecordingOptions recording = new RecordingOptions();

    @Override
    protected void run() {
        Topology topology = Clusters.resolve("--cluster", cluster.text());
        ObjectNode config =
                log.describe(cluster.text()).put("world", "arrivals").put("inflate", demand);
        ArrivalsSimulation simulation = new ArrivalsSimulation(
                ArrivalsSimulation.policies(policies.values()), log.read(err()), topology, demand, seed.value());
        ObjectNode whole =
                config.deepCopy().put("seed", seed.value()).put("schedulers", String.join(",", policies.values()));
        failUnless(recording.run(simulation, topology, config, whole, null, out(), err()));
    }
}
