package org.trainyard.env.simulation;

import org.trainyard.env.workload.JobSpec;

/**
 * The outcome of one job that has ended.
 *
 * <p>Its JCT is the sum of {@link #heldNanos}, {@link #queueingNanos}, {@link TimeOnGpus#restartNanos},
 * {@link TimeOnGpus#interferenceNanos}, {@link TimeOnGpus#placementNanos} and {@link TimeOnGpus#undisturbedNanos}, to
 * the nanosecond.
 *
 * @param firstStartNanos time of the first start
 * @param endNanos time of completion, or of its kill at its time limit
 * @param onGpus where its time on GPUs went
 * @param preemptions number of preemptions
 * @param kills number of times an outage stopped it
 * @param meanSlowdown rate alone on the same placement over the rate it had, averaged over its time on GPUs, at least 1
 * @param servers number of servers of its last placement
 * @param racks number of racks of its last placement
 * @param utility the value of its utility; 0 for a job without one
 * @param accuracyPenalty mean over its productive time of the penalty of its frozen layers, 0..1
 *     ({@link org.trainyard.env.workload.FreezableModel#penalty})
 * @param heldNanos time from its submission until it was allowed to start: its begin time, dependencies, array
 * @param timedOut whether it was killed at its time limit, before its work was done
 */
public record JobOutcome(
        JobSpec job,
        long firstStartNanos,
        long endNanos,
        TimeOnGpus onGpus,
        int preemptions,
        int kills,
        double meanSlowdown,
        int servers,
        int racks,
        double utility,
        double accuracyPenalty,
        long heldNanos,
        boolean timedOut) {
    /**
     * The time that a job spent on GPUs, taken apart.
     *
     * @param nanos all of it
     * @param undisturbedNanos the time that its work takes alone on the best placement of the empty cluster
     * @param restartNanos restart costs, and work that an outage took back; work is lost at the rate at which the job
     *     was stopped
     * @param interferenceNanos more than the same work takes alone on the same placements: co-located jobs and
     *     contended links
     */
    public record TimeOnGpus(long nanos, long undisturbedNanos, long restartNanos, long interferenceNanos) {
        /**
         * More than the undisturbed run, alone on the placements that the job had: links between its servers, slower
         * GPUs. Negative for a job that ran on more GPUs than it asked for.
         */
        public long placementNanos() {
            return nanos - undisturbedNanos - restartNanos - interferenceNanos;
        }
    }

    /** Time on GPUs, restart costs included. */
    public long runNanos() {
        return onGpus.nanos;
    }

    /** Job completion time: completion minus submission. */
    public long jctNanos() {
        return endNanos - job.submitNanos();
    }

    /** Queueing delay: time without GPUs from when it was allowed to start to its end. */
    public long queueingNanos() {
        return jctNanos() - runNanos() - heldNanos;
    }

    /** JCT over the undisturbed run time: the slowdown of the job as a whole, its wait included. */
    public double jctSlowdown() {
        return (double) jctNanos() / Math.max(1, onGpus.undisturbedNanos);
    }
}
