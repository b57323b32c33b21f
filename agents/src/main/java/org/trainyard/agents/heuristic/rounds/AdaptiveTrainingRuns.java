package org.trainyard.agents.heuristic.rounds;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.adaptive.AdaptiveTrainingRun;

/** The training runs of the jobs of one simulation, each worked out once. */
public final class AdaptiveTrainingRuns {
    private final double startSeconds;
    private final Map<Integer, Optional<AdaptiveTrainingRun>> byJob = new HashMap<>();

    /** @param startSeconds of a job's work that are its start, before its first step */
    public AdaptiveTrainingRuns(double startSeconds) {
        this.startSeconds = startSeconds;
    }

    /** The job's training run, or null when its group describes none. */
    @Nullable AdaptiveTrainingRun of(SimView view, int job) {
        return byJob.computeIfAbsent(
                        job,
                        id -> Optional.ofNullable(AdaptiveTrainingRun.of(
                                view.job(id).group(), view.job(id).gpus())))
                .orElse(null);
    }

    /** How long the job has trained. */
    double seconds(SimView view, int job) {
        return Math.max(0, view.progressSeconds(job) - startSeconds);
    }
}
