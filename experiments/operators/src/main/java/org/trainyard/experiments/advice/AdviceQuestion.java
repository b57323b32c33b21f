package org.trainyard.experiments.advice;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.InferencePolicy;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.metrics.RankingMetric;

/**
 * What {@link Advice} is asked.
 *
 * @param learned the policy that ships with the project, or null without one
 * @param folder keeps replays, so that an interrupted answer goes on; or null
 * @param limitSeconds processor time that the replay of a scheduler may take
 * @param restartSeconds what a restart after a preemption costs
 * @param bound on what some jobs may lose, or null
 * @param own the scheduler that the cluster's own files configure, such as {@code slurm:PATH}; or null
 * @param cycleStarts as in {@link Reproduction}; or null
 */
public record AdviceQuestion(
        Topology topology,
        List<TraceJob> jobs,
        RankingMetric metric,
        InterferenceModel belief,
        @Nullable InferencePolicy learned,
        long seed,
        @Nullable ReplayFolder folder,
        double limitSeconds,
        double restartSeconds,
        @Nullable WaitBound bound,
        @Nullable String own,
        @Nullable Double cycleStarts) {
    /** A question without a bound, and without files of the cluster. */
    public AdviceQuestion(
            Topology topology,
            List<TraceJob> jobs,
            RankingMetric metric,
            InterferenceModel belief,
            @Nullable InferencePolicy learned,
            long seed,
            @Nullable ReplayFolder folder,
            double limitSeconds,
            double restartSeconds) {
        this(topology, jobs, metric, belief, learned, seed, folder, limitSeconds, restartSeconds, null, null, null);
    }

    public LogReplays replays(ThreadWorkerPool workers) {
        return new LogReplays(
                topology,
                belief,
                workers,
                new LogReplays.Limits(folder, limitSeconds, restartSeconds, Quotas.NONE),
                seed,
                own);
    }
}
