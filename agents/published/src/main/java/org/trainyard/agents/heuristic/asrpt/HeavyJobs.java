package org.trainyard.agents.heuristic.asrpt;

import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/** Classifies jobs as communication-heavy, and computes their predicted work. */
final class HeavyJobs {
    private static final double LONGEST_SECONDS = 1e9;

    private final SpreadCost cost;
    private final double heaviness;
    private final StagedJob.Source shapes;

    /**
     * @param heaviness least ratio of the iteration time with all GPUs on different servers to that on the best
     *     placement
     * @param shapes stages and replicas of the jobs
     */
    HeavyJobs(Topology topology, double heaviness, StagedJob.Source shapes) {
        cost = new SpreadCost(IterationTime.of(topology));
        this.heaviness = heaviness;
        this.shapes = shapes;
    }

    /** Shapes of data-parallel jobs and pipelines, on GPUs of the cluster's widest servers. */
    static StagedJob.Source planned(Topology topology) {
        return new PlannedStages(topology, IterationTime.typicalServer(topology).gpuType());
    }

    boolean contains(JobSpec job) {
        return job.gpus() > 1 && cost.of(shapes.of(job)).ratio() >= heaviness;
    }

    /** Predicted run time on the best placement times the GPUs, or parts of GPUs, that the job demands. */
    static double predictedGpuSeconds(SimView view, int job) {
        Demand demand = view.job(job).demand();
        return view.predictedSeconds(job) * demand.gpus() * demand.gpuMilli() / Demand.WHOLE;
    }

    /** Whole nanoseconds, at most about thirty years. */
    static long nanos(double seconds) {
        return Math.round(1e9 * Math.min(seconds, LONGEST_SECONDS));
    }
}
