package org.trainyard.env.simulation;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;

/**
 * A simulated world without its jobs: the cluster, its physics and limits, and what schedulers are told. It makes
 * workloads of traces and simulators of workloads. Safe for several threads, because each simulator has a copy of the
 * truth.
 *
 * @param belief the model of interference by which schedulers and agents decide and rewards judge
 * @param predictors makes the run-time predictor of a run; only an oracle reads the workload
 * @param options restarts, preemption, quotas and outages
 * @param seed draws models of jobs that name none, and seeds schedulers
 */
public record World(
        Topology topology,
        PerformanceModel truth,
        InterferenceModel belief,
        Function<Workload, RuntimePredictor> predictors,
        Simulator.Options options,
        long seed) {

    /** A world of known run times, without a belief, of seed 1. */
    public World(Topology topology, PerformanceModel truth, Simulator.Options options) {
        this(topology, truth, InterferenceModel.NONE, RuntimePredictor::oracle, options, 1);
    }

    /** A world in which jobs run as long as their trace says, with known run times. */
    public static World rated(Topology topology, Simulator.Options options, long seed) {
        return new World(topology, new RatedPerformance(), options).seeded(seed);
    }

    /** Returns this world with other options of the simulator. */
    public World with(Simulator.Options newOptions) {
        return new World(topology, truth, belief, predictors, newOptions, seed);
    }

    /** Returns this world where predictors tell schedulers other run times. */
    public World telling(Function<Workload, RuntimePredictor> newPredictors) {
        return new World(topology, truth, belief, newPredictors, options, seed);
    }

    /** Returns this world where schedulers believe in other interference. */
    public World believing(InterferenceModel newBelief) {
        return new World(topology, truth, newBelief, predictors, options, seed);
    }

    /** Returns this world with planned maintenance beside its failures. */
    public World maintained(List<MaintenanceWindow> windows) {
        return windows.isEmpty()
                ? this
                : with(options.with(new Outages.Maintained(options.outages(), windows), options.checkpointNanos()));
    }

    /** Returns this world with another seed. */
    public World seeded(long newSeed) {
        return new World(topology, truth, belief, predictors, options, newSeed);
    }

    /** Whether jobs run as long as their trace says on every placement. */
    public boolean isRated() {
        return truth instanceof RatedPerformance;
    }

    /**
     * Jobs of a trace as a workload in which each, alone on its ideal placement, runs as long as in the trace.
     *
     * @param models that jobs without a known model train, drawn by the seed
     * @param strict whether to refuse jobs that do not fit and unknown models
     */
    public WorkloadBuilder.Built build(List<TraceJob> jobs, WorkloadBuilder.Models models, boolean strict) {
        WorkloadBuilder builder =
                new WorkloadBuilder(topology, new WorkloadBuilder.Options(models, seed, strict, true));
        return isRated() ? builder.rated(jobs) : builder.build(jobs, truth.copy());
    }

    /** The workload of the jobs that fit, with a neutral model for jobs without one. */
    public Workload workload(List<TraceJob> jobs) {
        return build(jobs, WorkloadBuilder.Models.NEUTRAL, false).workload();
    }

    /** A new simulator at the start of a workload. */
    public Simulator simulator(Workload workload) {
        return new Simulator(this, workload);
    }

    /** A new simulator at the start of a workload, whose events go to the sink, if there is one. */
    public Simulator simulator(Workload workload, @Nullable EventSink events) {
        return with(options.withEvents(events)).simulator(workload);
    }

    /**
     * Restores a simulation of this world from a snapshot; it continues bit-identically. Its predictor receives all
     * earlier events again.
     *
     * @throws org.trainyard.env.InputException when the snapshot is of another workload or topology
     */
    public Simulator restore(Snapshot snapshot, Workload workload) {
        return snapshot.in(this, workload);
    }
}
