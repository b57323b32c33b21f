package org.trainyard.experiments.evaluation;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.trainyard.env.Digests;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.metrics.Distribution;
import org.trainyard.experiments.metrics.JobFigures;
import org.trainyard.experiments.metrics.Statistics;

/**
 * Metrics of one scheduler over all completed jobs of all episodes; times in seconds.
 *
 * @param jobs completed jobs of all episodes
 * @param figures over all jobs of all episodes
 * @param makespan mean over episodes
 * @param slowdownMean mean over jobs of the slowdown by co-located jobs while running
 * @param gpuUtilisation GPU-seconds held by jobs over GPU-seconds of the cluster, summed over the makespans of all
 *     episodes
 * @param preemptions of all jobs
 * @param decisions of all episodes, waits not counted
 * @param eventLogSha256 hash of the event log; of several episodes, the SHA-256 over the hashes of their logs, each in
 *     hexadecimal and followed by a newline
 */
public record SchedulerScore(
        String name,
        SchedulerRuns.Role role,
        int jobs,
        JobFigures figures,
        double makespan,
        double slowdownMean,
        double gpuUtilisation,
        long preemptions,
        long decisions,
        String eventLogSha256) {
    /** Job completion times in seconds. */
    public Distribution jct() {
        return figures.jct();
    }

    static SchedulerScore of(SchedulerRuns runs) {
        List<RunResult> episodes = runs.episodes();
        List<JobOutcome> jobs = runs.jobs();
        double[] makespans = new double[episodes.size()];
        long decisions = 0;
        for (int i = 0; i < makespans.length; i++) {
            makespans[i] = episodes.get(i).makespanSeconds();
            decisions += episodes.get(i).decisions();
        }
        double[] slowdowns = new double[jobs.size()];
        long preemptions = 0;
        for (int i = 0; i < slowdowns.length; i++) {
            JobOutcome job = jobs.get(i);
            slowdowns[i] = job.meanSlowdown();
            preemptions += job.preemptions();
        }
        return new SchedulerScore(
                runs.name(),
                runs.role(),
                jobs.size(),
                JobFigures.of(episodes),
                Statistics.mean(makespans),
                Statistics.mean(slowdowns),
                utilisation(episodes),
                preemptions,
                decisions,
                hash(episodes));
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
        if (episodes.size() == 1) {
            return episodes.get(0).eventLogSha256();
        }
        MessageDigest digest = Digests.sha256();
        for (RunResult episode : episodes) {
            digest.update((episode.eventLogSha256() + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
