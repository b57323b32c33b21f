package org.trainyard.experiments.metrics;

import java.util.List;
import java.util.function.ToLongFunction;
import org.trainyard.env.simulation.JobOutcome;

/**
 * The mean JCT of some jobs taken apart, seconds; the parts of each job add up to its JCT to the nanosecond (see {@link JobOutcome}).
 *
 * @param waiting without GPUs
 * @param restart restart costs, and work that an outage took back
 * @param interference by co-located jobs and contended links
 * @param placement by links between servers and slower GPUs than the best; negative where jobs ran on more GPUs than they asked for
 * @param undisturbed alone on the best placement of the empty cluster
 */
public record JctParts(double waiting, double restart, double interference, double placement, double undisturbed) {
    public static JctParts of(List<JobOutcome> jobs) {
        return new JctParts(
                mean(jobs, JobOutcome::queueingNanos),
                mean(jobs, job -> job.onGpus().restartNanos()),
                mean(jobs, job -> job.onGpus().interferenceNanos()),
                mean(jobs, job -> job.onGpus().placementNanos()),
                mean(jobs, job -> job.onGpus().undisturbedNanos()));
    }

    private static double mean(List<JobOutcome> jobs, ToLongFunction<JobOutcome> part) {
        return Statistics.meanSeconds(jobs.stream().mapToLong(part).toArray());
    }
}
