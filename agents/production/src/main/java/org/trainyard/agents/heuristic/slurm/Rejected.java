package org.trainyard.agents.heuristic.slurm;

import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;

/** The array whose task a loop could not start last, and the partition: the loop passes over its other tasks there. */
final class Rejected {
    private @Nullable SlurmArray array;
    private @Nullable SlurmPartition in;

    /** Whether a job is passed over; if not, it counts as rejected until {@link #clear}. */
    boolean passes(SlurmJob job, SlurmPartition partition) {
        if (job.array == null) {
            return false;
        }
        if ((job.array == array && partition.equals(in)) || job.array.full()) {
            return true;
        }
        array = job.array;
        in = partition;
        return false;
    }

    void clear() {
        array = null;
    }
}
