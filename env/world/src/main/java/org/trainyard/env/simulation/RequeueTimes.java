package org.trainyard.env.simulation;

import org.trainyard.env.workload.JobSlots;

/** The instants at which preempted jobs wait again, where a cluster requeues them with a delay. */
final class RequeueTimes {
    private final EventQueue ends;
    private final long delayNanos;
    private int size;

    /** @param delayNanos time from a preemption until the job waits again; 0 for at once */
    RequeueTimes(JobSlots slots, long delayNanos) {
        ends = new EventQueue(slots);
        this.delayNanos = delayNanos;
    }

    long delayNanos() {
        return delayNanos;
    }

    void schedule(long atNanos, int job) {
        ends.schedule(atNanos, job);
        size++;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Number of jobs that were preempted and do not wait again yet. */
    int size() {
        return size;
    }

    /** The next instant at which a job waits again; the greatest long for never. */
    long nextNanos() {
        return ends.isEmpty() ? Long.MAX_VALUE : ends.time();
    }

    /** Takes the job that waits again then. */
    int takeJob() {
        int job = ends.job();
        ends.pop();
        size--;
        return job;
    }
}
