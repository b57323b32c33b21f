package org.trainyard.experiments.advice;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.simulation.FreeWait;
import org.trainyard.experiments.simulation.LoggedCluster;

/**
 * Input of {@link Advice}: a log, its cluster and the metric of the ranking.
 *
 * @param world in which the log is replayed
 * @param leftOut jobs that its reader left out
 * @param isPartial whether an answer is wanted even if much of the log is left out
 * @param learned the policy that ships with the project, or null without one
 * @param bound on the loss of some jobs, or null
 * @param own the scheduler that the cluster's own files configure, such as {@code slurm:PATH}; or null
 * @param cycleStarts as in {@link Reproduction}; or null
 * @param cluster of the log, with the files that configure it
 * @param manager whose settings the answer names
 */
public record AdviceQuestion(
        World world,
        List<TraceJob> jobs,
        List<LeftOut> leftOut,
        boolean isPartial,
        RankingMetric metric,
        @Nullable BidPolicy learned,
        LogReplays.Limits limits,
        @Nullable WaitBound bound,
        @Nullable String own,
        @Nullable Double cycleStarts,
        LoggedCluster cluster,
        ResourceManager manager) {
    public Topology topology() {
        return world.topology();
    }

    public long seed() {
        return world.seed();
    }

    /** The files of the cluster's own Slurm; null where another scheduler, or none, is configured. */
    @Nullable SlurmFiles files() {
        return own == null || !LoggedCluster.isSlurmOfFiles(own) ? null : cluster.files();
    }

    /** Replays that start jobs so long after each decision as the log shows. */
    public LogReplays replays(ThreadWorkerPool workers) {
        return new LogReplays(world, workers, limits, own)
                .delayed(FreeWait.ofDated(topology(), jobs).delaySeconds());
    }
}
