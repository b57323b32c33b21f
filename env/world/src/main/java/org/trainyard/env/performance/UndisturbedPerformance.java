package org.trainyard.env.performance;

import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/** A performance model without interference: the rate of a job depends on its placement alone. */
public interface UndisturbedPerformance extends PerformanceModel {
    @Override
    default double slowdown(JobSpec job, Placement placement, Occupancy occupancy) {
        return 1;
    }

    @Override
    default boolean interferes() {
        return false;
    }
}
