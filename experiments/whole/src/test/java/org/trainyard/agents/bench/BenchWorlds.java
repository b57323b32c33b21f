package org.trainyard.agents.bench;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.trainyard.agents.learned.inside.IntraNodeEncoder;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.env.workload.log.TraceReader;

/** Clusters, traces and runs with links and interference on. */
final class BenchWorlds {
    private static final List<String> INTERIORS = List.of("uniform", "dgx1v", "pairs", "pcie");

    private BenchWorlds() {}

    /** One rack of servers of 8 GPUs. */
    static Topology cluster(int servers) {
        return Topology.uniform(servers + "x8", Fabric.DEFAULT, 1, servers, ServerSpec.ofV100(8), 4);
    }

    /** A trace of the data pack beside the checkout. */
    static List<TraceJob> real(String name) {
        Path file = Path.of(System.getProperty("trainyard.root", "."), "..", "shared", "data", name);
        return TraceReader.read(file, TraceReader.Options.DEFAULT).jobs();
    }

    static List<TraceJob> generated(Topology topology, int jobs, double load) {
        GeneratorSettings settings = GeneratorSettings.DEFAULT.with(load, GeneratorSettings.DEFAULT.maxGpus());
        return new TraceGenerator(settings, jobs, ModelCatalog.standard()).generate(1, topology.gpus());
    }

    static Workload workload(Topology topology, List<TraceJob> jobs) {
        WorkloadBuilder.Options options = new WorkloadBuilder.Options(WorkloadBuilder.Models.MIX, 1, false, true);
        return new WorkloadBuilder(topology, ModelCatalog.standard(), options)
                .build(jobs, new RingPerformance(topology, AnalyticInterference.DEFAULT))
                .workload();
    }

    static Simulator simulator(Topology topology, Workload workload) {
        return new World(
                        topology,
                        new RingPerformance(topology, AnalyticInterference.DEFAULT),
                        Simulator.Options.DEFAULT)
                .simulator(workload);
    }

    static RunResult run(Topology topology, Workload workload, String scheduler) {
        return simulator(topology, workload)
                .run(SchedulerRegistry.named(scheduler).create(topology, 1));
    }

    /** The same where rings share the NICs and the uplinks, 2:1 oversubscribed, by the measured law. */
    static RunResult runContended(Topology topology, Workload workload, String scheduler) {
        AnalyticInterference besideNics = new AnalyticInterference(0.6, 1.0, 0, 1);
        PerformanceModel truth = new RingPerformance(topology, besideNics, Contention.SjfBco.MEASURED);
        return new World(topology, truth, Simulator.Options.DEFAULT)
                .simulator(workload)
                .run(SchedulerRegistry.named(scheduler).create(topology, 1));
    }

    /**
     * So many servers of the four kinds of the world of mixed interiors, two in a rack, as the graph network believes.
     */
    static Topology mixedInteriors(int servers) {
        Topology.Builder builder =
                new Topology.Builder("mixed-interiors", Fabric.DEFAULT).racksPerPod(INTERIORS.size());
        for (int rack = 0; rack < servers / 2; rack++) {
            String interior = INTERIORS.get(rack % INTERIORS.size());
            ServerSpec server = new ServerSpec(GpuType.V100, 2, 8, !interior.equals("pcie"));
            builder.rack(Collections.nCopies(2, server.with(Interiors.named(interior))));
        }
        return builder.build().believed(IntraNodeEncoder.graph());
    }

    /** A named topology or a shorthand, uplinks and all. */
    static Topology named(String name) {
        Topology topology = Topologies.parse(name);
        if (topology == null) {
            throw new IllegalArgumentException("no topology (%s)".formatted(name));
        }
        return topology;
    }
}
