package org.trainyard.env.workload;

import org.jspecify.annotations.Nullable;

/**
 * One row of a trace: a job as somebody logged it, or as the generator drew it.
 *
 * @param id unique in the trace
 * @param submitNanos submission, from the trace's own zero
 * @param gpus GPUs held at once, at least one
 * @param durationNanos how long it ran, above zero
 * @param model name of the model trained, or null when the trace does not say
 * @param user submitter, or null
 * @param group recurring job it is a run of (job name), or null
 * @param virtualCluster tenant, or null
 */
public record TraceJob(
        String id,
        long submitNanos,
        int gpus,
        long durationNanos,
        @Nullable String model,
        @Nullable String user,
        @Nullable String group,
        @Nullable String virtualCluster) {
    public TraceJob {
        if (submitNanos < 0) {
            throw new IllegalArgumentException("job %s: submit time (%d ns) is negative".formatted(id, submitNanos));
        }
        if (gpus < 1) {
            throw new IllegalArgumentException("job %s: GPUs (%d) must be at least 1".formatted(id, gpus));
        }
        if (durationNanos < 1) {
            throw new IllegalArgumentException(
                    "job %s: duration (%d ns) must be above zero".formatted(id, durationNanos));
        }
    }
}
