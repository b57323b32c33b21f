package org.trainyard.experiments.metrics;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.FreezableModel;

/**
 * The accuracy penalties of the jobs of some episodes that allow frozen layers, under one scheduler.
 *
 * @param jobs that allow frozen layers
 * @param mean accuracy penalty of these jobs, 0..1
 * @param most the greatest
 * @param frozen share of these jobs that had a penalty: some of their layers were frozen for a time
 */
public record FreezingFigures(
        int jobs,
        @JsonProperty("accuracy_penalty_mean") double mean,
        @JsonProperty("accuracy_penalty_most") double most,
        double frozen) {
    /** Null when no job allows frozen layers. */
    public static @Nullable FreezingFigures of(List<RunResult> episodes) {
        int jobs = 0;
        double sum = 0;
        double most = 0;
        int frozen = 0;
        for (JobOutcome job : JobFigures.jobs(episodes)) {
            if (allowsFreezing(job)) {
                jobs++;
                sum += job.accuracyPenalty();
                most = Math.max(most, job.accuracyPenalty());
                frozen += job.accuracyPenalty() > 0 ? 1 : 0;
            }
        }
        return jobs == 0 ? null : new FreezingFigures(jobs, sum / jobs, most, (double) frozen / jobs);
    }

    /** Whether the job allows frozen layers. */
    public static boolean allowsFreezing(JobOutcome job) {
        return job.job().model().of(FreezableModel.class) != null;
    }
}
