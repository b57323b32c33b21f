package org.trainyard.env.simulation;

import org.trainyard.env.workload.JobSpec;

/**
 * How it went for one job.
 *
 * @param firstStartNanos when it first got its GPUs
 * @param endNanos when it was done
 * @param runNanos time on GPUs, restart costs included
 * @param preemptions how often it was told to give up its GPUs
 * @param kills how often an outage took its GPUs
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

    /** Completion less submission. */
    public long jctNanos() {
        return endNanos - job.submitNanos();
    }

    /** Time not on GPUs before completion. */
    public long queueingNanos() {
        return jctNanos() - runNanos;
    }
}
