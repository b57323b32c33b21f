package org.trainyard.env.workload;

import org.jspecify.annotations.Nullable;

/**
 * What a scheduler may know of a job. How much work it really is stays in {@link Workload}.
 *
 * @param id dense index in its workload, in order of submission
 * @param name the id the job has in its trace, unique there
 * @param submitNanos when it is submitted
 * @param demand what it must be given, all at once
 * @param model what it trains
 * @param plan how it is parallel
 * @param idealIterationsPerSecond its rate alone on the best empty placement; follows from model and demand, so it is no secret
 * @param user who submitted it, or null when the trace does not say
 * @param group the recurring job it is a run of, or null
 * @param virtualCluster the tenant it belongs to, or null
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
        @Nullable String virtualCluster) {
    /** A job that needs so many whole GPUs and nothing else. */
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
