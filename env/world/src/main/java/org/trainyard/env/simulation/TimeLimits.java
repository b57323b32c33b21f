package org.trainyard.env.simulation;

import org.trainyard.env.workload.JobSlots;
import org.trainyard.env.workload.JobSpec;

/**
 * The instants at which running jobs are killed because they have outlived the limits that they said at their
 * submission. A limit is of one run: a job that was preempted has all of it again, as under Slurm.
 */
final class TimeLimits {
    private final EventQueue ends;
    private final boolean isEnforced;

    /** @param isEnforced false where a real cluster kills its jobs itself and reports it */
    TimeLimits(JobSlots slots, boolean isEnforced) {
        ends = new EventQueue(slots);
        this.isEnforced = isEnforced;
    }

    void start(JobSpec job, long nowNanos) {
        long limit = job.terms().limitNanos();
        if (isEnforced && limit > 0) {
            ends.schedule(nowNanos > Long.MAX_VALUE - limit ? Long.MAX_VALUE : nowNanos + limit, job.id());
        }
    }

    void stop(JobSpec job) {
        if (isEnforced && job.terms().limitNanos() > 0) {
            ends.remove(job.id());
        }
    }

    /** The next instant at which a job is killed, if none ends before; the greatest long for never. */
    long nextNanos() {
        return ends.nextNanos();
    }

    /** The job that is killed then. */
    int nextJob() {
        return ends.job();
    }
}
