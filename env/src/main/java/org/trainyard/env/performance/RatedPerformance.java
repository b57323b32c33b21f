package org.trainyard.env.performance;

import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/** Every job runs at its ideal rate wherever it is: the world of simulators that replay a trace's durations to the letter. */
public final class RatedPerformance implements PerformanceModel {
    @Override
    public double aloneRate(JobSpec job, Placement placement) {
        return job.idealIterationsPerSecond();
    }

    @Override
    public double slowdown(JobSpec job, Placement placement, Occupancy occupancy) {
        return 1;
    }

    @Override
    public boolean interferes() {
        return false;
    }

    @Override
    public PerformanceModel copy() {
        return this;
    }
}
