package org.trainyard.experiments.cli;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.agents.heuristic.SchedulerCatalog;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.RingPerformance;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.GeneratorSettings;
import org.trainyard.env.workload.ModelCatalog;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Trace;
import org.trainyard.env.workload.TraceGenerator;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.interference.HistoryRuntimePredictor;

/** One trace on one cluster in one world, for one scheduler after the other. */
final class TraceSimulation {
    private final Topology topology;
    private final World world;
    private final long seed;
    private final String trace;
    private final WorkloadBuilder.Built built;
    private final PerformanceModel truth;

    private TraceSimulation(
            Topology topology, World world, long seed, boolean strict, String trace, List<TraceJob> jobs) {
        this.topology = topology;
        this.world = world;
        this.seed = seed;
        this.trace = trace;
        truth = world.rated() ? new RatedPerformance() : new RingPerformance(topology, AnalyticInterference.DEFAULT);
        WorkloadBuilder builder =
                new WorkloadBuilder(topology, ModelCatalog.standard(), new WorkloadBuilder.Options(seed, strict, true));
        built = world.rated() ? builder.rated(jobs) : builder.build(jobs, truth);
    }

    static TraceSimulation of(Trace trace, Topology topology, World world, long seed, boolean strict) {
        return new TraceSimulation(topology, world, seed, strict, trace.name(), trace.jobs());
    }

    /** So many jobs drawn for the cluster. */
    static TraceSimulation generated(Topology topology, World world, int jobs, long seed) {
        GeneratorSettings likeTraces = GeneratorSettings.DEFAULT;
        GeneratorSettings settings = likeTraces.with(jobs, likeTraces.offeredLoad(), likeTraces.maxGpus());
        List<TraceJob> drawn = new TraceGenerator(settings, ModelCatalog.standard()).generate(seed, topology.gpus());
        return new TraceSimulation(topology, world, seed, false, "generated", drawn);
    }

    SchedulerRuns run(SchedulerCatalog.Entry entry) {
        Simulator simulator = new Simulator(
                topology, built.workload(), truth, predictor(), new Simulator.Options(world.restartNanos(), false));
        SchedulerRuns.Role role =
                entry.name().equals("random") ? SchedulerRuns.Role.FLOOR : SchedulerRuns.Role.HEURISTIC;
        return new SchedulerRuns(entry.name(), role, List.of(simulator.run(entry.create(topology, seed))));
    }

    private RuntimePredictor predictor() {
        return world.oracle() ? RuntimePredictor.oracle(built.workload()) : new HistoryRuntimePredictor();
    }

    String title() {
        return "%s: %,d jobs on %s".formatted(trace, built.workload().size(), topology);
    }

    World world() {
        return world;
    }

    /** What was left out or made up when the trace became a workload. */
    List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        if (!built.tooWide().isEmpty()) {
            remarks.add("%,d jobs need more than %,d GPUs and were left out; the first is %s"
                    .formatted(
                            built.tooWide().size(),
                            topology.gpus(),
                            built.tooWide().get(0)));
        }
        if (!world.rated() && built.drawnModels() > 0) {
            remarks.add("%,d jobs name no known model and were given one by lot".formatted(built.drawnModels()));
        }
        return remarks;
    }
}
