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
 * @param startNanos its first start as logged, from the trace's own zero, or {@link #NOT_LOGGED}; the past, which no scheduler is told
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
        long startNanos,
        @Nullable AdaptiveTrainingRun adaptiveRun) {
    /** The start of a job whose trace does not say when it started. */
    public static final long NOT_LOGGED = -1;

    public TraceJob {
        if (submitNanos < 0) {
            throw new IllegalArgumentException("job %s: submit time (%d ns) is negative".formatted(id, submitNanos));
        }
        if (durationNanos < 1) {
            throw new IllegalArgumentException(
                    "job %s: duration (%d ns) must be above zero".formatted(id, durationNanos));
        }
        if (startNanos != NOT_LOGGED && startNanos < submitNanos) {
            throw new IllegalArgumentException(
                    "job %s: start (%d ns) is before its submission (%d ns)".formatted(id, startNanos, submitNanos));
        }
    }

    /** A job whose start was not logged. */
    public TraceJob(
            String id,
            long submitNanos,
            Demand demand,
            long durationNanos,
            @Nullable String model,
            @Nullable String user,
            @Nullable String group,
            @Nullable String virtualCluster,
            @Nullable AdaptiveTrainingRun adaptiveRun) {
        this(id, submitNanos, demand, durationNanos, model, user, group, virtualCluster, NOT_LOGGED, adaptiveRun);
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

    /** Whether the trace says when it started. */
    public boolean hasStart() {
        return startNanos != NOT_LOGGED;
    }

    /** The same job, submitted at another time; its wait stays. */
    public TraceJob submittedAt(long nanos) {
        return with(nanos, durationNanos, hasStart() ? startNanos + nanos - submitNanos : NOT_LOGGED);
    }

    /** The same job with another duration. */
    public TraceJob lasting(long nanos) {
        return with(submitNanos, nanos, startNanos);
    }

    /** The same job with its first start as logged. */
    public TraceJob startedAt(long nanos) {
        return with(submitNanos, durationNanos, nanos);
    }

    private TraceJob with(long submit, long duration, long start) {
        return new TraceJob(id, submit, demand, duration, model, user, group, virtualCluster, start, adaptiveRun);
    }
}
