package org.trainyard.env.workload;

import org.jspecify.annotations.Nullable;

/**
 * A job as schedulers know it. Its true work is in {@link Workload}.
 *
 * @param id dense index in its workload, in order of submission
 * @param name the id the job has in its trace, unique there
 * @param submitNanos when it is submitted
 * @param demand the resources it must hold, all of them at once (gang scheduling)
 * @param idealIterationsPerSecond its rate alone on the best placement of the empty cluster; it follows from model,
 *     demand and plan
 * @param user the user that submitted it, or null when the trace does not say
 * @param group the recurring job it is a run of, or null
 * @param virtualCluster the tenant it belongs to, or null
 * @param attached values that kinds of training add to it, such as a {@link JobValue}
 * @param terms the other terms of its submission
 */
public record JobSpec(
        int id,
        String name,
        long submitNanos,
        Demand demand,
        ModelProfile model,
        TrainingPlan plan,
        double idealIterationsPerSecond,
        @Nullable String user,
        @Nullable String group,
        @Nullable String virtualCluster,
        Attachments attached,
        SubmissionTerms terms) {
    /** A job of an unknown user, without attachments and terms. */
    public JobSpec(
            int id, String name, long submitNanos, Demand demand, ModelProfile model, TrainingPlan plan, double ideal) {
        this(
                id,
                name,
                submitNanos,
                demand,
                model,
                plan,
                ideal,
                null,
                null,
                null,
                Attachments.NONE,
                SubmissionTerms.NONE);
    }

    /** A job of an unknown user with ring all-reduce, without attachments and terms. */
    public JobSpec(int id, String name, long submitNanos, Demand demand, ModelProfile model, double ideal) {
        this(id, name, submitNanos, demand, model, TrainingPlan.RingAllReduce.INSTANCE, ideal);
    }

    /** A job of an unknown user with ring all-reduce on whole GPUs, without attachments and terms. */
    public JobSpec(int id, String name, long submitNanos, int gpus, ModelProfile model, double ideal) {
        this(id, name, submitNanos, Demand.ofGpus(gpus), model, ideal);
    }

    /** Returns a copy of this job with another demand. */
    public JobSpec demanding(Demand other) {
        return with(other, model, attached, terms);
    }

    /** Returns a copy of this job with other terms. */
    public JobSpec saying(SubmissionTerms other) {
        return with(demand, model, attached, other);
    }

    /** Returns a copy of this job that trains another model. */
    public JobSpec training(ModelProfile other) {
        return with(demand, other, attached, terms);
    }

    /** Returns a copy of this job with a value in place of that of the type; without one for null. */
    public <T> JobSpec attaching(Class<T> type, @Nullable T value) {
        return with(demand, model, attached.with(type, value), terms);
    }

    /** Attachment of this type, or of a subtype; null when there is none. */
    public <T> @Nullable T of(Class<T> type) {
        return attached.of(type);
    }

    /** Returns a copy of this job of another user, group and virtual cluster, each null where it is unknown. */
    public JobSpec by(@Nullable String who, @Nullable String recurring, @Nullable String tenant) {
        double rate = idealIterationsPerSecond;
        return new JobSpec(id, name, submitNanos, demand, model, plan, rate, who, recurring, tenant, attached, terms);
    }

    private JobSpec with(Demand needs, ModelProfile trains, Attachments adds, SubmissionTerms says) {
        double rate = idealIterationsPerSecond;
        return new JobSpec(id, name, submitNanos, needs, trains, plan, rate, user, group, virtualCluster, adds, says);
    }

    /** The time limit that it asked for, nanoseconds; 0 for none. */
    public long askedLimitNanos() {
        AskedLimit asked = of(AskedLimit.class);
        return Math.max(terms.limitNanos(), asked == null ? 0 : asked.nanos());
    }

    /** GPUs it was submitted for. */
    public int gpus() {
        return demand.gpus();
    }
}
