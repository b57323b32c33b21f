package org.trainyard.agents.heuristic;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.TrainingRun;

/** The training runs of the jobs of one simulation, each worked out once. */
final class TrainingRuns {
    private final double startSeconds;
    private final Map<Integer, Optional<TrainingRun>> byJob = new HashMap<>();

    /** @param startSeconds of a job's work that are its start, before its first step */
    TrainingRuns(double startSeconds) {
        this.startSeconds = startSeconds;
    }

    /** The job's training run, or null when its group describes none. */
    @Nullable TrainingRun of(SimView view, int job) {
        return byJob.computeIfAbsent(
                        job,
                        id -> Optional.ofNullable(TrainingRun.of(
                                view.job(id).group(), view.job(id).gpus())))
                .orElse(null);
    }

    /** How long the job has trained. */
    double seconds(SimView view, int job) {
        return Math.max(0, view.progressSeconds(job) - startSeconds);
    }
}
