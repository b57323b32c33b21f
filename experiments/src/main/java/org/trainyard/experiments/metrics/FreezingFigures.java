package org.trainyard.experiments.metrics;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;

/**
 * The accuracy penalties of the jobs of some episodes that allow frozen layers, under one scheduler.
 *
 * @param jobs that allow frozen layers
 * @param mean accuracy penalty of these jobs, 0..1
 * @param most the greatest
 * @param frozen share of these jobs that had a penalty: some of their layers were frozen for a time
 */
public record FreezingFigures(int jobs, double mean, double most, double frozen) {
    /** Null when no job allows frozen layers. */
    public static @Nullable FreezingFigures of(List<RunResult> episodes) {
        double[] penalties = episodes.stream()
                .flatMap(episode -> episode.jobs().stream())
                .filter(FreezingFigures::allowsFreezing)
                .mapToDouble(JobOutcome::accuracyPenalty)
                .toArray();
        if (penalties.length == 0) {
            return null;
        }
        double most = 0;
        int frozen = 0;
        for (double penalty : penalties) {
            most = Math.max(most, penalty);
            frozen += penalty > 0 ? 1 : 0;
        }
        return new FreezingFigures(
                penalties.length, Statistics.mean(penalties), most, (double) frozen / penalties.length);
    }

    /** Whether the job allows frozen layers. */
    public static boolean allowsFreezing(JobOutcome job) {
        return job.job().model().freezing() != null;
    }
}
