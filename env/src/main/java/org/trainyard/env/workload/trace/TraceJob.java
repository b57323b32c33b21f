package org.trainyard.env.workload.trace;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.adaptive.AdaptiveTrainingRun;

/**
 * One row of a trace: a job as somebody logged it, or as the generator drew it.
 *
 * @param id unique in the trace
 * @param submitNanos submission, from the trace's own zero
 * @param demand what it held while it ran
 * @param durationNanos how long it ran, above zero
 * @param model name of the model trained, or null when the trace does not say
 * @param user submitter, or null
 * @param group recurring job it is a run of (job name), or null
 * @param virtualCluster tenant, or null
 * @param adaptiveRun how its batch size and speed change as it runs, or null when the trace does not say; like its duration, no part of
 *     what a {@link org.trainyard.env.workload.RuntimePredictor} is told
 */
public record TraceJob(
        String id,
        long submitNanos,
        Demand demand,
        long durationNanos,
        @Nullable String model,
        @Nullable String user,
        @Nullable String group,
        @Nullable String virtualCluster,
        @Nullable AdaptiveTrainingRun adaptiveRun) {
    public TraceJob {
        if (submitNanos < 0) {
            throw new IllegalArgumentException("job %s: submit time (%d ns) is negative".formatted(id, submitNanos));
        }
        if (durationNanos < 1) {
            throw new IllegalArgumentException(
                    "job %s: duration (%d ns) must be above zero".formatted(id, durationNanos));
        }
    }

    /** A job whose batch size stays, or of which it is not known. */
    public TraceJob(
            String id,
            long submitNanos,
            Demand demand,
            long durationNanos,
            @Nullable String model,
            @Nullable String user,
            @Nullable String group,
            @Nullable String virtualCluster) {
        this(id, submitNanos, demand, durationNanos, model, user, group, virtualCluster, null);
    }

    /** A job that held so many whole GPUs and nothing else. */
    public TraceJob(
            String id,
            long submitNanos,
            int gpus,
            long durationNanos,
            @Nullable String model,
            @Nullable String user,
            @Nullable String group,
            @Nullable String virtualCluster) {
        this(id, submitNanos, Demand.ofGpus(gpus), durationNanos, model, user, group, virtualCluster);
    }

    /** GPUs held at once. */
    public int gpus() {
        return demand.gpus();
    }

    /** The same job, submitted at another time. */
    public TraceJob submittedAt(long nanos) {
        return new TraceJob(id, nanos, demand, durationNanos, model, user, group, virtualCluster, adaptiveRun);
    }

    /** The same job with another duration. */
    public TraceJob lasting(long nanos) {
        return new TraceJob(id, submitNanos, demand, nanos, model, user, group, virtualCluster, adaptiveRun);
    }
}
