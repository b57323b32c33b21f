package org.trainyard.env.performance;

import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/** A world in which nobody slows anybody down: only where a job is decides how fast it runs. */
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
