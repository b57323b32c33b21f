package org.trainyard.experiments.evaluation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.trainyard.env.InputException;
import org.trainyard.env.Invalid;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.metrics.JobFigures;

/**
 * The runs of one scheduler, one per episode.
 *
 * @param name in tables and files, unique within an evaluation
 * @param role of the scheduler in comparisons
 * @param episodes one result per episode; all schedulers of an evaluation run the same episodes in the same order
 */
public record SchedulerRuns(String name, Role role, List<RunResult> episodes) {
    /** Role of a scheduler in comparisons. */
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
        Invalid.when(episodes.isEmpty(), "scheduler %s ran no episode", name);
        for (int i = 0; i < episodes.size(); i++) {
            RunResult episode = episodes.get(i);
            if (episode.jobs().isEmpty() && !episode.rejected().isEmpty()) {
                throw new InputException("scheduler %s: %s: expected at least one job that it can start"
                        .formatted(name, String.join("; ", rejections(episode))));
            }
            Invalid.when(episode.jobs().isEmpty(), "scheduler %s was given no job in episode (%d)", name, i);
        }
    }

    private static List<String> rejections(RunResult episode) {
        List<String> lines = new ArrayList<>();
        episode.rejections()
                .forEach((reason, jobs) -> lines.add("%,d %s%s"
                        .formatted(
                                jobs,
                                reason.isEmpty()
                                        ? jobs == 1 ? "job is turned away" : "jobs are turned away"
                                        : jobs == 1 ? "job can never start: " : "jobs can never start: ",
                                reason)));
        return lines;
    }

    /**
     * Why jobs of the first episode can never start and are left out, a sentence a reason; none where no reason is
     * known.
     */
    public List<String> leftOut() {
        RunResult first = episodes.get(0);
        return first.rejections().keySet().equals(Set.of(""))
                ? List.of()
                : rejections(first).stream()
                        .map(line -> "%s leaves out: %s".formatted(name, line))
                        .toList();
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
