package org.trainyard.env.simulation;

import org.trainyard.env.workload.JobSpec;

/**
 * The outcome of one finished job.
 *
 * @param firstStartNanos time of the first start
 * @param endNanos time of completion
 * @param runNanos time on GPUs, restart costs included
 * @param preemptions number of preemptions
 * @param kills number of times an outage stopped it
 * @param meanSlowdown rate alone on the same placement over the rate it had, averaged over its time on GPUs, at least 1
 */
public record JobOutcome(
        JobSpec job,
        long firstStartNanos,
        long endNanos,
        long runNanos,
        int preemptions,
        int kills,
        double meanSlowdown) {

    /** Job completion time: completion minus submission. */
    public long jctNanos() {
        return endNanos - job.submitNanos();
    }

    /** Queueing delay: time before completion without GPUs. */
    public long queueingNanos() {
        return jctNanos() - runNanos;
    }
}
