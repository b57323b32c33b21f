package org.trainyard.experiments.metrics;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;

/**
 * The metrics of all jobs of some episodes; times in seconds, of completed jobs.
 *
 * @param utility null when no job has a utility
 * @param freezing null when no job allows frozen layers
 */
public record JobFigures(
        Distribution jct,
        Distribution waiting,
        Distribution slowdown,
        JctParts parts,
        Fairness fairness,
        @Nullable UtilityFigures utility,
        @Nullable FreezingFigures freezing) {
    public static JobFigures of(List<RunResult> episodes) {
        List<JobOutcome> jobs = jobs(episodes);
        return new JobFigures(
                Distribution.of(jobs, JobMetric.JCT),
                Distribution.of(jobs, JobMetric.WAIT),
                Distribution.of(jobs, JobMetric.SLOWDOWN),
                JctParts.of(jobs),
                Fairness.of(episodes),
                UtilityFigures.of(episodes),
                FreezingFigures.of(episodes));
    }

    /** The completed jobs of all episodes. */
    public static List<JobOutcome> jobs(List<RunResult> episodes) {
        if (episodes.size() == 1) {
            return episodes.get(0).jobs();
        }
        List<JobOutcome> jobs = new ArrayList<>();
        for (RunResult episode : episodes) {
            jobs.addAll(episode.jobs());
        }
        return jobs;
    }

    /** The metric by which schedulers are ranked. */
    public double value(RankingMetric metric) {
        return metric.of(
                switch (metric.ofJob()) {
                    case JCT -> jct;
                    case WAIT -> waiting;
                    case SLOWDOWN -> slowdown;
                });
    }
}
