package org.trainyard.experiments.metrics;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;

/**
 * The metrics of all jobs of some episodes; times in seconds, of completed jobs.
 *
 * @param wideWaiting of jobs of more than {@value JobMetric#NARROW} GPUs; null without one
 * @param utility null when no job has a utility
 * @param freezing null when no job allows frozen layers
 */
public record JobFigures(
        Distribution jct,
        Distribution waiting,
        @Nullable Distribution wideWaiting,
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
                JobMetric.WIDE_WAIT.of(jobs).isEmpty() ? null : Distribution.of(jobs, JobMetric.WIDE_WAIT),
                Distribution.of(jobs, JobMetric.SLOWDOWN),
                JctParts.of(jobs),
                Fairness.of(episodes),
                UtilityFigures.of(episodes),
                FreezingFigures.of(episodes));
    }

    private Distribution wide() {
        if (wideWaiting == null) {
            throw InputException.at(
                    "--metric", "a wait of wide jobs", Counted.say("jobs of more than %d GPUs", JobMetric.NARROW));
        }
        return wideWaiting;
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

    /**
     * The metric by which schedulers are ranked.
     *
     * @throws InputException when it is of wide jobs and there are none
     */
    public double value(RankingMetric metric) {
        return metric.of(
                switch (metric.ofJob()) {
                    case WIDE_WAIT -> wide();
                    case JCT -> jct;
                    case WAIT -> waiting;
                    case SLOWDOWN -> slowdown;
                });
    }
}
