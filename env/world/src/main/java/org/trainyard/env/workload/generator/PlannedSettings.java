package org.trainyard.env.workload.generator;

import org.trainyard.env.Invalid;

/**
 * Which jobs are pipelines or of mixed parallelism.
 *
 * @param share of all jobs, 0..1, taken from those of two or more GPUs
 */
public record PlannedSettings(double share) {
    public PlannedSettings {
        Invalid.when(!(share >= 0 && share <= 1), "share (%s) must be 0 to 1", share);
    }
}
