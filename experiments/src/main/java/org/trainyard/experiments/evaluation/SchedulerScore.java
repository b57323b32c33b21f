package org.trainyard.experiments.evaluation;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.ToLongFunction;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;

/**
 * Metrics of one scheduler over all jobs of all episodes; times in seconds.
 *
 * @param jobs jobs of all episodes
 * @param jct over all jobs of all episodes
 * @param makespan mean over episodes
 * @param queueingDelayMean mean over jobs of the time before completion that a job does not run
 * @param slowdownMean mean over jobs of the slowdown by co-located jobs while running
 * @param gpuUtilisation GPU-seconds held by jobs over GPU-seconds of the cluster, summed over the makespans of all episodes
 * @param preemptions of all jobs
 * @param decisions of all episodes, waits not counted
 * @param eventLogSha256 SHA-256 over the hashes of the episodes' event logs, each in hexadecimal and followed by a newline
 */
public record SchedulerScore(
        String name,
        SchedulerRuns.Role role,
        int jobs,
        Jct jct,
        double makespan,
        double queueingDelayMean,
        double slowdownMean,
        double gpuUtilisation,
        long preemptions,
        long decisions,
        String eventLogSha256) {
    /** Job completion times in seconds; percentiles as {@link Statistics#percentile} defines them. */
    public record Jct(double mean, double median, double p95, double p99) {}

    static SchedulerScore of(SchedulerRuns runs) {
        List<RunResult> episodes = runs.episodes();
        List<JobOutcome> jobs =
                episodes.stream().flatMap(e -> e.jobs().stream()).toList();
        return new SchedulerScore(
                runs.name(),
                runs.role(),
                jobs.size(),
                jct(nanos(jobs, JobOutcome::jctNanos)),
                Statistics.mean(episodes.stream()
                        .mapToDouble(RunResult::makespanSeconds)
                        .toArray()),
                Statistics.meanSeconds(nanos(jobs, JobOutcome::queueingNanos)),
                Statistics.mean(
                        jobs.stream().mapToDouble(JobOutcome::meanSlowdown).toArray()),
                utilisation(episodes),
                jobs.stream().mapToLong(JobOutcome::preemptions).sum(),
                episodes.stream().mapToLong(RunResult::decisions).sum(),
                hash(episodes));
    }

    private static long[] nanos(List<JobOutcome> jobs, ToLongFunction<JobOutcome> what) {
        return jobs.stream().mapToLong(what).toArray();
    }

    private static Jct jct(long[] nanos) {
        double[] sorted = Statistics.sortedSeconds(nanos);
        return new Jct(
                Statistics.meanSeconds(nanos),
                Statistics.percentile(sorted, 0.5),
                Statistics.percentile(sorted, 0.95),
                Statistics.percentile(sorted, 0.99));
    }

    private static double utilisation(List<RunResult> episodes) {
        double busy = 0;
        double there = 0;
        for (RunResult episode : episodes) {
            busy += episode.busyGpuSeconds();
            there += episode.makespanSeconds() * episode.gpus();
        }
        return there > 0 ? busy / there : 0;
    }

    private static String hash(List<RunResult> episodes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (RunResult episode : episodes) {
                digest.update((episode.eventLogSha256() + "\n").getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
