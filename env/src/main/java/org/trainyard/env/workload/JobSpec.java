package org.trainyard.env.workload;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.utility.JobUtility;

/**
 * A job as schedulers know it. Its true work is in {@link Workload}.
 *
 * @param id dense index in its workload, in order of submission
 * @param name the id the job has in its trace, unique there
 * @param submitNanos when it is submitted
 * @param demand the resources it must hold, all of them at once (gang scheduling)
 * @param model the model it trains
 * @param plan its parallelism
 * @param idealIterationsPerSecond its rate alone on the best placement of the empty cluster; it follows from model,
 *     demand and plan
 * @param user who submitted it, or null when the trace does not say
 * @param group the recurring job it is a run of, or null
 * @param virtualCluster the tenant it belongs to, or null
 * @param utility its value to its owner, or null when nobody says
 * @param terms what else it says at its submission
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
        @Nullable JobUtility utility,
        SubmissionTerms terms) {
    /** A job of nobody known, without utility and terms. */
    public JobSpec(
            int id, String name, long submitNanos, Demand demand, ModelProfile model, TrainingPlan plan, double ideal) {
        this(id, name, submitNanos, demand, model, plan, ideal, null, null, null, null, SubmissionTerms.NONE);
    }

    /** A job with ring all-reduce of nobody known, without utility and terms. */
    public JobSpec(int id, String name, long submitNanos, Demand demand, ModelProfile model, double ideal) {
        this(id, name, submitNanos, demand, model, TrainingPlan.RingAllReduce.INSTANCE, ideal);
    }

    /** A job with ring all-reduce on whole GPUs of nobody known, without utility and terms. */
    public JobSpec(int id, String name, long submitNanos, int gpus, ModelProfile model, double ideal) {
        this(id, name, submitNanos, Demand.ofGpus(gpus), model, ideal);
    }

    /** Returns a copy of this job with another demand. */
    public JobSpec demanding(Demand other) {
        return with(other, model, utility, terms);
    }

    /** Returns a copy of this job with other terms. */
    public JobSpec saying(SubmissionTerms other) {
        return with(demand, model, utility, other);
    }

    /** Returns a copy of this job that trains another model. */
    public JobSpec training(ModelProfile other) {
        return with(demand, other, utility, terms);
    }

    /** Returns a copy of this job with another utility. */
    public JobSpec worth(@Nullable JobUtility other) {
        return with(demand, model, other, terms);
    }

    /** Returns a copy of this job of another user, group and virtual cluster, each null where it is unknown. */
    public JobSpec by(@Nullable String who, @Nullable String recurring, @Nullable String tenant) {
        double rate = idealIterationsPerSecond;
        return new JobSpec(id, name, submitNanos, demand, model, plan, rate, who, recurring, tenant, utility, terms);
    }

    private JobSpec with(Demand needs, ModelProfile trains, @Nullable JobUtility value, SubmissionTerms says) {
        double rate = idealIterationsPerSecond;
        return new JobSpec(id, name, submitNanos, needs, trains, plan, rate, user, group, virtualCluster, value, says);
    }

    /** GPUs it was submitted for. */
    public int gpus() {
        return demand.gpus();
    }
}
