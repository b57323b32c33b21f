package org.trainyard.agents.heuristic.rounds;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.adaptive.AdaptiveTrainingRun;

/**
 * The training runs of the jobs of one simulation.
 *
 * @param startSeconds of a job's work that are its start, before its first step
 */
public record AdaptiveTrainingRuns(double startSeconds) {
    /** The job's training run, or null when none is known. */
    @Nullable AdaptiveTrainingRun of(SimView view, int job) {
        return view.adaptiveRun(job);
    }

    /** How long the job has trained. */
    double seconds(SimView view, int job) {
        return Math.max(0, view.progressSeconds(job) - startSeconds);
    }
}
