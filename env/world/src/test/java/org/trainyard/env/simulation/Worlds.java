package org.trainyard.env.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.Workload;

/** Jobs of one iteration per second, in whole seconds, and simulators for them with audits on. */
final class Worlds {
    static final long SECOND = 1_000_000_000L;
    private static final Pressure SOME = new Pressure(0.5, 0.5, 0.5);
    private static final ModelProfile MODEL = new ModelProfile("model", 1, 0, 1, SOME, SOME);

    private final List<JobSpec> jobs = new ArrayList<>();
    private final List<Double> seconds = new ArrayList<>();

    Worlds job(int gpus, long submitSeconds, double workSeconds) {
        return job(Demand.ofGpus(gpus), null, submitSeconds, workSeconds);
    }

    Worlds job(Demand demand, @Nullable String tenant, long submitSeconds, double workSeconds) {
        int id = jobs.size();
        jobs.add(new JobSpec(id, "job" + id, submitSeconds * SECOND, demand, MODEL, 1).by(null, null, tenant));
        seconds.add(workSeconds);
        return this;
    }

    /** The user and the group of the last job. */
    Worlds by(String user, String group) {
        JobSpec last = jobs.remove(jobs.size() - 1);
        jobs.add(last.by(user, group, last.virtualCluster()));
        return this;
    }

    /** What the last job says at its submission. */
    Worlds saying(UnaryOperator<SubmissionTerms.Builder> terms) {
        JobSpec last = jobs.remove(jobs.size() - 1);
        jobs.add(last.saying(terms.apply(last.terms().but()).build()));
        return this;
    }

    Workload workload() {
        return new Workload(jobs, seconds.stream().mapToDouble(s -> s).toArray());
    }

    Simulator simulator(Topology topology, long restartSeconds) {
        return simulator(topology, restartSeconds, new RatedPerformance());
    }

    Simulator simulator(Topology topology, long restartSeconds, PerformanceModel truth) {
        return simulator(topology, RestartCost.ofNanos(restartSeconds * SECOND), truth);
    }

    Simulator simulator(Topology topology, Simulator.Options options) {
        Workload workload = workload();
        return new World(topology, new RatedPerformance(), options).simulator(workload);
    }

    Simulator simulator(Topology topology, RestartCost restart, PerformanceModel truth) {
        Workload workload = workload();
        Simulator.Options options = new Simulator.Options(restart, true, null);
        return new World(topology, truth, options).simulator(workload);
    }
}
