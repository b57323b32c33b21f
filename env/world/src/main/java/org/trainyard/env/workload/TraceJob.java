package org.trainyard.env.workload;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;

/**
 * One row of a trace: a job that was logged, or drawn by the generator.
 *
 * @param id unique in the trace
 * @param submitNanos submission, from the trace's own zero
 * @param demand resources that it held while it ran
 * @param durationNanos how long it ran, above zero
 * @param model name of the model trained, or null when the trace does not say
 * @param user submitter, or null
 * @param group recurring job it is a run of (job name), or null
 * @param virtualCluster tenant, or null
 * @param past when it really ran, or null when the trace does not say; no scheduler is told
 * @param hidden facts of its run that kinds of training know, such as how its speed changes as it runs; like its
 *     duration, not told to a {@link RuntimePredictor}
 * @param plan how it is parallel
 * @param attached values that kinds of training add to it, such as a {@link JobValue} or {@link ModelTerms}
 * @param terms the other terms of its submission
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
        Attachments hidden,
        TrainingPlan plan,
        Attachments attached,
        SubmissionTerms terms) {
    public TraceJob {
        Invalid.when(submitNanos < 0, "job %s: submit time (%d ns) is negative", id, submitNanos);
        Invalid.when(durationNanos < 1, "job %s: duration (%d ns) must be above zero", id, durationNanos);
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
                Attachments.NONE,
                TrainingPlan.RingAllReduce.INSTANCE,
                Attachments.NONE,
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

    /** Returns a copy submitted at another time, with its past moved alike. */
    public TraceJob submittedAt(long nanos) {
        return with(nanos, durationNanos, past == null ? null : past.moved(nanos - submitNanos));
    }

    /** Returns a copy with another duration, without its past; this job when the duration is its own. */
    public TraceJob lasting(long nanos) {
        return nanos == durationNanos ? this : with(submitNanos, nanos, null);
    }

    /** Returns a copy with the time when the job really ran; null when that is unknown. */
    public TraceJob ran(@Nullable LoggedRun when) {
        return with(submitNanos, durationNanos, when);
    }

    /** Returns a copy with another demand. */
    public TraceJob demanding(Demand other) {
        return copy(submitNanos, durationNanos, past, hidden, other, plan, attached, terms);
    }

    /** Returns a copy with another parallelism. */
    public TraceJob parallel(TrainingPlan how) {
        return copy(submitNanos, durationNanos, past, hidden, demand, how, attached, terms);
    }

    /** Returns a copy with a value in place of that of the type; without one for null. */
    public <T> TraceJob attaching(Class<T> type, @Nullable T value) {
        return copy(submitNanos, durationNanos, past, hidden, demand, plan, attached.with(type, value), terms);
    }

    /** Returns a copy with something of its run that no predictor is told. */
    public <T> TraceJob hiding(Class<T> type, @Nullable T value) {
        return copy(submitNanos, durationNanos, past, hidden.with(type, value), demand, plan, attached, terms);
    }

    /** Attachment of this type, or of a subtype; null when there is none. */
    public <T> @Nullable T of(Class<T> type) {
        return attached.of(type);
    }

    /** Returns a copy on other terms. */
    public TraceJob on(SubmissionTerms others) {
        return copy(submitNanos, durationNanos, past, hidden, demand, plan, attached, others);
    }

    private TraceJob with(long submit, long duration, @Nullable LoggedRun ran) {
        return copy(submit, duration, ran, hidden, demand, plan, attached, terms);
    }

    private TraceJob copy(
            long submit,
            long duration,
            @Nullable LoggedRun ran,
            Attachments untold,
            Demand wanted,
            TrainingPlan how,
            Attachments told,
            SubmissionTerms said) {
        return new TraceJob(
                id, submit, wanted, duration, model, user, group, virtualCluster, ran, untold, how, told, said);
    }

    /**
     * The index of the first of jobs, sorted by submission, that is submitted at that time or later; their number where
     * none is.
     */
    public static int firstAtOrAfter(List<TraceJob> jobs, long nanos) {
        int low = 0;
        int high = jobs.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (jobs.get(middle).submitNanos() < nanos) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
