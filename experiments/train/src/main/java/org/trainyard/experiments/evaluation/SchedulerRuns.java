package org.trainyard.experiments.evaluation;

import java.util.List;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.metrics.JobFigures;

/**
 * The runs of one scheduler, one per episode.
 *
 * @param name in tables and files, unique within an evaluation
 * @param role what the scheduler is compared as
 * @param episodes one result per episode; all schedulers of an evaluation run the same episodes in the same order
 */
public record SchedulerRuns(String name, Role role, List<RunResult> episodes) {
    /** What a scheduler is compared as. */
    public enum Role {
        /** A classic or published scheduler; the best of them is the reference. */
        HEURISTIC,
        /** A trained policy. */
        LEARNED,
        /** A policy before its first update; never the reference. */
        UNTRAINED,
        /** A baseline that ignores all information, such as random; never the reference. */
        FLOOR
    }

    public SchedulerRuns {
        episodes = List.copyOf(episodes);
        if (episodes.isEmpty()) {
            throw new IllegalArgumentException("scheduler %s ran no episode".formatted(name));
        }
        for (int i = 0; i < episodes.size(); i++) {
            if (episodes.get(i).jobs().isEmpty()) {
                throw new IllegalArgumentException("scheduler %s completed no job of episode (%d)".formatted(name, i));
            }
        }
    }

    /** The completed jobs of all episodes. */
    public List<JobOutcome> jobs() {
        return JobFigures.jobs(episodes);
    }

    /** Number of jobs that were rejected in all episodes. */
    public int rejected() {
        int rejected = 0;
        for (RunResult episode : episodes) {
            rejected += episode.rejected().size();
        }
        return rejected;
    }

    /** Number of jobs that were killed at their time limits in all episodes. */
    public int timedOut() {
        return (int) jobs().stream().filter(JobOutcome::timedOut).count();
    }

    /** Whether any job was preempted. */
    public boolean preempts() {
        return jobs().stream().anyMatch(job -> job.preemptions() > 0);
    }

    /** Mean JCT of each episode, seconds. */
    public double[] meanJctSeconds() {
        return episodes.stream().mapToDouble(RunResult::meanJctSeconds).toArray();
    }
}
