package org.trainyard.env.simulation;

import org.trainyard.env.workload.JobSpec;

/**
 * Limits on what running jobs hold, beyond {@link Quotas}: those of accounts, users, QOS and licences. It follows the
 * starts and stops of one simulation.
 */
public interface HeldLimits {
    /** Whether a job that does not run may start beside those that do. */
    boolean allows(JobSpec job);

    /** Counts a job that starts (+1) or stops (-1). */
    void hold(JobSpec job, int sign);

    /** Equal for jobs of equal demands that are limited alike. */
    Object group(JobSpec job);
}
