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
    /** A job without terms. */
    public JobSpec(
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
            @Nullable JobUtility utility) {
        this(
                id,
                name,
                submitNanos,
                demand,
                model,
                plan,
                idealIterationsPerSecond,
                user,
                group,
                virtualCluster,
                utility,
                SubmissionTerms.NONE);
    }

    /** A job without a utility. */
    public JobSpec(
            int id,
            String name,
            long submitNanos,
            Demand demand,
            ModelProfile model,
            TrainingPlan plan,
            double idealIterationsPerSecond,
            @Nullable String user,
            @Nullable String group,
            @Nullable String virtualCluster) {
        this(id, name, submitNanos, demand, model, plan, idealIterationsPerSecond, user, group, virtualCluster, null);
    }

    /** Returns a copy of this job with another demand. */
    public JobSpec demanding(Demand other) {
        return new JobSpec(
                id,
                name,
                submitNanos,
                other,
                model,
                plan,
                idealIterationsPerSecond,
                user,
                group,
                virtualCluster,
                utility,
                terms);
    }

    /** Returns a copy of this job with other terms. */
    public JobSpec saying(SubmissionTerms other) {
        return new JobSpec(
                id,
                name,
                submitNanos,
                demand,
                model,
                plan,
                idealIterationsPerSecond,
                user,
                group,
                virtualCluster,
                utility,
                other);
    }

    /** Returns a copy of this job that trains another model. */
    public JobSpec training(ModelProfile other) {
        return new JobSpec(
                id,
                name,
                submitNanos,
                demand,
                other,
                plan,
                idealIterationsPerSecond,
                user,
                group,
                virtualCluster,
                utility,
                terms);
    }

    /** A job with a demand for whole GPUs only. */
    public JobSpec(
            int id,
            String name,
            long submitNanos,
            int gpus,
            ModelProfile model,
            TrainingPlan plan,
            double idealIterationsPerSecond,
            @Nullable String user,
            @Nullable String group,
            @Nullable String virtualCluster) {
        this(
                id,
                name,
                submitNanos,
                Demand.ofGpus(gpus),
                model,
                plan,
                idealIterationsPerSecond,
                user,
                group,
                virtualCluster);
    }

    /** GPUs it was submitted for. */
    public int gpus() {
        return demand.gpus();
    }
}
