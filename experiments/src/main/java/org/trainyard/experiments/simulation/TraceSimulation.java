package org.trainyard.experiments.simulation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.SchedulerRegistry;
import org.trainyard.agents.heuristic.reference.ReferenceSettings;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.env.workload.trace.Trace;
import org.trainyard.env.workload.trace.TraceFormat;
import org.trainyard.env.workload.trace.TraceJob;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.report.EventsJsonl;
import org.trainyard.experiments.run.RuntimePredictors;
import org.trainyard.interference.profiling.PressureModel;

/** One trace on one cluster in one world, for one scheduler after the other. */
public final class TraceSimulation {
    private final Topology topology;
    private final SimulationSetup world;
    private final long seed;
    private final Trace trace;
    private final WorkloadBuilder builder;
    private final WorkloadBuilder.Built built;
    private final PerformanceModel truth;
    private final Set<String> remarksOnRuns = new LinkedHashSet<>();

    private TraceSimulation(Topology topology, SimulationSetup world, WorkloadBuilder.Options options, Trace trace) {
        this.topology = topology;
        this.world = world;
        this.seed = options.seed();
        this.trace = trace;
        truth = world.truth(topology, seed);
        builder = new WorkloadBuilder(topology, ModelCatalog.standard(), options);
        built = world.rated() ? builder.rated(trace.jobs()) : builder.build(trace.jobs(), truth);
    }

    public static TraceSimulation of(Trace trace, Topology topology, SimulationSetup world, long seed, boolean strict) {
        WorkloadBuilder.Options options = new WorkloadBuilder.Options(seed, strict, true);
        return new TraceSimulation(topology, world, options, trace);
    }

    /** So many jobs drawn for the cluster. */
    public static TraceSimulation generated(Topology topology, SimulationSetup world, int jobs, long seed) {
        GeneratorSettings likeTraces = GeneratorSettings.DEFAULT;
        GeneratorSettings settings = likeTraces.with(jobs, likeTraces.offeredLoad(), likeTraces.maxGpus());
        List<TraceJob> drawn = new TraceGenerator(settings, ModelCatalog.standard()).generate(seed, topology.gpus());
        WorkloadBuilder.Options options = new WorkloadBuilder.Options(seed, false, true);
        Trace trace = new Trace("generated", TraceFormat.TRAINYARD, drawn, 0, List.of(), List.of());
        return new TraceSimulation(topology, world, options, trace);
    }

    /** @param events where the run's events go, or null */
    public SchedulerRuns run(SchedulerRegistry.Entry entry, @Nullable EventsJsonl events) {
        ReferenceSettings replay = entry.reference();
        Workload workload = replay == null ? built.workload() : workload(entry.name(), replay);
        RuntimePredictor predictor = RuntimePredictors.of(world.runtime(), seed).apply(workload);
        EventSink sink = events == null ? null : events.run(entry.name(), workload);
        Simulator.Options options = replay == null
                ? world.options(topology, seed).withEvents(sink)
                : new Simulator.Options(replay.restart(), false, sink);
        Simulator simulator = new Simulator(topology, workload, truth, predictor, options);
        SchedulerRuns.Role role =
                entry.name().equals("random") ? SchedulerRuns.Role.FLOOR : SchedulerRuns.Role.HEURISTIC;
        RunResult result = simulator.run(entry.create(topology, PressureModel.shipped(), seed));
        int kills = result.jobs().stream().mapToInt(JobOutcome::kills).sum();
        if (kills > 0) {
            remarksOnRuns.add("outages stopped jobs %,d times under %s".formatted(kills, entry.name()));
        }
        return new SchedulerRuns(entry.name(), role, List.of(result));
    }

    /** The jobs as the simulator that a preset replays takes them. */
    private Workload workload(String preset, ReferenceSettings replay) {
        List<TraceJob> jobs = trace.jobs();
        List<TraceJob> taken =
                jobs.stream().map(job -> replay.take(trace.format(), job)).toList();
        if (!taken.equals(jobs)) {
            remarksOnRuns.add("run times of %s are %s".formatted(preset, replay.remark()));
        }
        long tenants = jobs.stream().map(TraceJob::virtualCluster).distinct().count();
        if (replay.oneVirtualCluster() && tenants > 1) {
            remarksOnRuns.add(
                    "the simulator that %s replays runs each virtual cluster alone, and here %,d share the cluster (--virtual-cluster keeps one)"
                            .formatted(preset, tenants));
        }
        return builder.rated(taken).workload();
    }

    String title() {
        return "%s: %,d jobs on %s".formatted(trace.name(), built.workload().size(), topology);
    }

    /** How many jobs run. */
    public int jobs() {
        return built.workload().size();
    }

    SimulationSetup world() {
        return world;
    }

    /** What was left out or made up when the trace became a workload. */
    List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        trace.oddities().forEach(oddity -> remarks.add(oddity.replaceFirst("\\.$", "")));
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
        remarks.addAll(remarksOnRuns);
        return remarks;
    }
}
