package org.trainyard.experiments.simulation;

import java.util.List;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.performance.bounds.RelaxedBound;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.experiments.run.RuntimePredictors;

/**
 * The cluster and the truth in which {@code simulate} runs the jobs of a trace, for many traces one after another.
 * Safe for several threads: every run has a copy of the truth, which has buffers.
 */
public final class SimulatedWorld {
    private final Topology topology;
    private final SimulationSetup setup;
    private final long seed;
    private final PerformanceModel truth;

    public SimulatedWorld(Topology topology, SimulationSetup setup, long seed) {
        this.topology = topology;
        this.setup = setup;
        this.seed = seed;
        truth = setup.truth(topology, seed);
    }

    PerformanceModel truth() {
        return truth;
    }

    /** The converter of traces to workloads. */
    WorkloadBuilder builder(WorkloadBuilder.Models models, long drawSeed, boolean strict) {
        return new WorkloadBuilder(
                topology, ModelCatalog.standard(), new WorkloadBuilder.Options(models, drawSeed, strict, true));
    }

    /** Jobs as a workload in which each runs as long as its log says, for one scheduler. */
    public Workload asLogged(List<TraceJob> jobs, SchedulerRegistry.Entry entry) {
        return builder(WorkloadBuilder.Models.NEUTRAL, seed, false)
                .rated(LoggedDurations.of(jobs, preempts(entry)))
                .workload();
    }

    static boolean preempts(SchedulerRegistry.Entry entry) {
        return entry.has(SchedulerRegistry.Flag.PREEMPTIVE) || entry.has(SchedulerRegistry.Flag.ELASTIC);
    }

    /** Jobs as a workload; those without a known model train a neutral one. */
    public Workload workload(List<TraceJob> jobs) {
        return builder(WorkloadBuilder.Models.NEUTRAL, seed, false)
                .build(jobs, truth.copy())
                .workload();
    }

    /**
     * A lower bound on the mean JCT of a workload.
     *
     * @throws IllegalStateException in the world of a preset that replays a published simulator
     */
    public RelaxedBound bound(Workload workload) {
        if (truth.copy() instanceof RingPerformance ring) {
            return RelaxedBound.of(workload, topology, ring);
        }
        throw new IllegalStateException("no lower bound where run times are those of the trace");
    }

    /** A new simulator at the start of a workload. */
    public Simulator simulator(Workload workload) {
        return simulator(workload, setup.options(topology, seed));
    }

    Simulator simulator(Workload workload, Simulator.Options options) {
        return new Simulator(
                topology,
                workload,
                truth.copy(),
                RuntimePredictors.of(setup.runtime(), seed).apply(workload),
                options);
    }

    /** A new scheduler for one run. */
    public Scheduler scheduler(SchedulerRegistry.Entry entry) {
        return entry.create(topology, setup.belief(), seed);
    }

    /** A trained policy as a scheduler for one run. */
    public Scheduler scheduler(TrainedContender contender) {
        return contender.scheduler(topology, setup.belief(), null);
    }
}
