package org.trainyard.env.workload.generator;

/**
 * Which jobs are pipelines or of mixed parallelism.
 *
 * @param share of all jobs, 0..1, taken from those of two or more GPUs
 */
public record PlannedSettings(double share) {
    public PlannedSettings {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("share (%s) must be 0 to 1".formatted(share));
        }
    }
}
