package org.trainyard.env.performance;

import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ScalingCurve;

/**
 * Every job runs at its ideal rate on every placement, as in simulators that replay the durations of a trace. Only an
 * elastic job on another number of GPUs than submitted follows its scaling curve.
 */
public final class RatedPerformance implements UndisturbedPerformance {
    @Override
    public double aloneRate(JobSpec job, Placement placement) {
        int workers = placement.gpuCount();
        if (!job.demand().isElastic()) {
            return job.idealIterationsPerSecond();
        }
        ScalingCurve scaling = job.model().scaling();
        return job.idealIterationsPerSecond() * scaling.speedup(workers) / scaling.speedup(job.gpus());
    }

    @Override
    public PerformanceModel copy() {
        return this;
    }
}
