package org.trainyard.env.performance.contention;

import java.util.function.IntConsumer;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/** A {@link Contention} law applied to one data centre. Not thread-safe, because implementations keep buffers. */
public interface LinkSharing {
    /**
     * The bandwidth of the job's ring, bytes per second; infinite when it shares no link with another ring. The job
     * itself may or may not be listed in {@code occupancy}.
     */
    double bytesPerSecond(JobSpec job, Placement placement, Occupancy occupancy);

    /** Reports the jobs whose bandwidth may change; see {@link PerformanceModel#touch}. */
    void touch(Placement placement, Occupancy occupancy, IntConsumer touched);

    /** No ring shares a link. */
    LinkSharing NONE = new LinkSharing() {
        @Override
        public double bytesPerSecond(JobSpec job, Placement placement, Occupancy occupancy) {
            return Double.POSITIVE_INFINITY;
        }

        @Override
        public void touch(Placement placement, Occupancy occupancy, IntConsumer touched) {}
    };
}
