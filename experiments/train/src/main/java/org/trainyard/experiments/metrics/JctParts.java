package org.trainyard.experiments.metrics;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.trainyard.env.simulation.JobOutcome;

/**
 * The mean JCT of some jobs taken apart, seconds; the parts of each job add up to its JCT to the nanosecond (see
 * {@link JobOutcome}).
 *
 * @param waiting without GPUs, also before the job was allowed to start
 * @param restart restart costs, and work that an outage took back
 * @param interference by co-located jobs and contended links
 * @param placement by links between servers and slower GPUs than the best; negative where jobs ran on more GPUs than
 *     they asked for
 * @param undisturbed alone on the best placement of the empty cluster
 */
public record JctParts(
        @JsonProperty("queueing") double waiting,
        double restart,
        double interference,
        double placement,
        double undisturbed) {
    public static JctParts of(List<JobOutcome> jobs) {
        int n = jobs.size();
        long[] waiting = new long[n];
        long[] restart = new long[n];
        long[] interference = new long[n];
        long[] placement = new long[n];
        long[] undisturbed = new long[n];
        for (int i = 0; i < n; i++) {
            JobOutcome job = jobs.get(i);
            waiting[i] = job.heldNanos() + job.queueingNanos();
            restart[i] = job.onGpus().restartNanos();
            interference[i] = job.onGpus().interferenceNanos();
            placement[i] = job.onGpus().placementNanos();
            undisturbed[i] = job.onGpus().undisturbedNanos();
        }
        return new JctParts(
                Statistics.meanSeconds(waiting),
                Statistics.meanSeconds(restart),
                Statistics.meanSeconds(interference),
                Statistics.meanSeconds(placement),
                Statistics.meanSeconds(undisturbed));
    }
}
