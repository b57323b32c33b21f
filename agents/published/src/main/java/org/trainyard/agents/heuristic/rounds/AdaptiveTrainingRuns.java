package org.trainyard.agents.heuristic.rounds;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.adaptive.AdaptiveTrainingRun;

/**
 * The adaptive training runs of the jobs of one simulation.
 *
 * @param startSeconds work of a job before its first step, seconds
 */
public record AdaptiveTrainingRuns(double startSeconds) {
    /** The training run of the job, or null when none is known. */
    @Nullable AdaptiveTrainingRun of(SimView view, int job) {
        return view.run(job, AdaptiveTrainingRun.class);
    }

    /** Training time of the job so far, seconds. */
    double seconds(SimView view, int job) {
        return Math.max(0, view.progressSeconds(job) - startSeconds);
    }
}
