package org.trainyard.env.workload;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.adaptive.AdaptiveTrainingRun;
import org.trainyard.env.workload.freezing.FreezingTerms;
import org.trainyard.env.workload.utility.JobUtility;

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
 * @param past when it really ran, or null when the trace does not say; no scheduler is told
 * @param adaptiveRun how its batch size and speed change as it runs, or null when the trace does not say; like its duration, no part of
 *     what a {@link org.trainyard.env.workload.RuntimePredictor} is told
 * @param plan how it is parallel
 * @param utility its value to its owner, or null when the trace does not say
 * @param freezing what its owner allows about frozen layers, or null for none
 * @param terms what else it said at its submission
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
        @Nullable LoggedRun past,
        @Nullable AdaptiveTrainingRun adaptiveRun,
        TrainingPlan plan,
        @Nullable JobUtility utility,
        @Nullable FreezingTerms freezing,
        SubmissionTerms terms) {
    public TraceJob {
        if (submitNanos < 0) {
            throw new IllegalArgumentException("job %s: submit time (%d ns) is negative".formatted(id, submitNanos));
        }
        if (durationNanos < 1) {
            throw new IllegalArgumentException(
                    "job %s: duration (%d ns) must be above zero".formatted(id, durationNanos));
        }
        if (past != null && (past.startNanos() < submitNanos || past.endNanos() - past.startNanos() < durationNanos)) {
            throw new IllegalArgumentException(
                    "job %s: it ran from %d ns to %d ns, but was submitted at %d ns and lasts %d ns"
                            .formatted(id, past.startNanos(), past.endNanos(), submitNanos, durationNanos));
        }
    }

    /** A job of which the trace does not say when it ran, and whose batch size stays. */
    public TraceJob(
            String id,
            long submitNanos,
            Demand demand,
            long durationNanos,
            @Nullable String model,
            @Nullable String user,
            @Nullable String group,
            @Nullable String virtualCluster) {
        this(
                id,
                submitNanos,
                demand,
                durationNanos,
                model,
                user,
                group,
                virtualCluster,
                null,
                null,
                TrainingPlan.RingAllReduce.INSTANCE,
                null,
                null,
                SubmissionTerms.NONE);
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

    /** GPU-hours that it held; parts of GPUs count as parts. */
    public double gpuHours() {
        return durationNanos / 3.6e12 * demand.gpus() * demand.gpuMilli() / Demand.WHOLE;
    }

    /** The same job, submitted at another time, with its past moved alike. */
    public TraceJob submittedAt(long nanos) {
        return with(nanos, durationNanos, past == null ? null : past.moved(nanos - submitNanos));
    }

    /** The same job with another duration, which is not that of its past; the job itself when the duration is its own. */
    public TraceJob lasting(long nanos) {
        return nanos == durationNanos ? this : with(submitNanos, nanos, null);
    }

    /** The same job with the time when it really ran; null when nobody says. */
    public TraceJob ran(@Nullable LoggedRun when) {
        return with(submitNanos, durationNanos, when);
    }

    /** The same job with another demand. */
    public TraceJob demanding(Demand other) {
        return copy(submitNanos, durationNanos, past, other, plan, utility, freezing, terms);
    }

    /** The same job with another parallelism. */
    public TraceJob parallel(TrainingPlan how) {
        return copy(submitNanos, durationNanos, past, demand, how, utility, freezing, terms);
    }

    /** The same job with a value to its owner. */
    public TraceJob valued(@Nullable JobUtility worth) {
        return copy(submitNanos, durationNanos, past, demand, plan, worth, freezing, terms);
    }

    /** The same job with what its owner allows about frozen layers. */
    public TraceJob freezable(@Nullable FreezingTerms layers) {
        return copy(submitNanos, durationNanos, past, demand, plan, utility, layers, terms);
    }

    /** The same job on other terms. */
    public TraceJob on(SubmissionTerms others) {
        return copy(submitNanos, durationNanos, past, demand, plan, utility, freezing, others);
    }

    private TraceJob with(long submit, long duration, @Nullable LoggedRun ran) {
        return copy(submit, duration, ran, demand, plan, utility, freezing, terms);
    }

    private TraceJob copy(
            long submit,
            long duration,
            @Nullable LoggedRun ran,
            Demand wanted,
            TrainingPlan how,
            @Nullable JobUtility worth,
            @Nullable FreezingTerms layers,
            SubmissionTerms said) {
        return new TraceJob(
                id,
                submit,
                wanted,
                duration,
                model,
                user,
                group,
                virtualCluster,
                ran,
                adaptiveRun,
                how,
                worth,
                layers,
                said);
    }
}
