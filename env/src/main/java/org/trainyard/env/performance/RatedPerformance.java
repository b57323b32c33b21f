package org.trainyard.env.performance;

import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ScalingCurve;

/**
 * Every job runs at its ideal rate wherever it is: the world of simulators that replay a trace's durations to the letter. Only an
 * elastic job on other than the GPUs it was submitted for is as fast as its scaling says.
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
