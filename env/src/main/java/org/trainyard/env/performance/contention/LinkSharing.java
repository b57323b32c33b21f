package org.trainyard.env.performance.contention;

import java.util.function.IntConsumer;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/** A {@link Contention} at work on one data centre. Not for use by several threads, for implementations keep buffers. */
public interface LinkSharing {
    /**
     * The bandwidth that the links leave the job's ring, bytes per second; infinite when nobody meets it on any. The job itself may
     * or may not be listed in {@code occupancy}.
     */
    double bytesPerSecond(JobSpec job, Placement placement, Occupancy occupancy);

    /** As {@link PerformanceModel#touch}. */
    void touch(Placement placement, Occupancy occupancy, IntConsumer touched);

    /** Nobody meets anybody. */
    LinkSharing NONE = new LinkSharing() {
        @Override
        public double bytesPerSecond(JobSpec job, Placement placement, Occupancy occupancy) {
            return Double.POSITIVE_INFINITY;
        }

        @Override
        public void touch(Placement placement, Occupancy occupancy, IntConsumer touched) {}
    };
}
