package org.trainyard.env.simulation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.trainyard.env.workload.JobSpec;

/**
 * The outcome of one run: an episode under one scheduler.
 *
 * @param jobs outcomes of the completed jobs in the order of submission, without the
 *     {@link org.trainyard.env.workload.Workload#warmJobs warm} jobs
 * @param rejected jobs that the scheduler turned away, in the order of submission, without the warm ones
 * @param gpus GPUs of the cluster
 * @param busyGpuSeconds GPU-seconds held
 * @param decisions number of decisions, not counting waits
 * @param events number of events in the log
 * @param eventLogSha256 hash of the log
 */
public record RunResult(
        List<JobOutcome> jobs,
        List<RejectedJob> rejected,
        int gpus,
        double busyGpuSeconds,
        long decisions,
        long events,
        String eventLogSha256) {
    /**
     * A job that was turned away.
     *
     * @param idealSeconds its true run time alone on its best placement
     * @param reason why, in the words of the scheduler; empty where that says nothing
     */
    public record RejectedJob(JobSpec job, double idealSeconds, String reason) {
        public RejectedJob(JobSpec job, double idealSeconds) {
            this(job, idealSeconds, "");
        }
    }

    public RunResult {
        jobs = List.copyOf(jobs);
        rejected = List.copyOf(rejected);
    }

    /** Completed and rejected jobs, in the order of submission. */
    public List<JobSpec> submitted() {
        return Stream.concat(
                        jobs.stream().map(JobOutcome::job), rejected.stream().map(RejectedJob::job))
                .sorted((a, b) -> Integer.compare(a.id(), b.id()))
                .toList();
    }

    /** How many rejected jobs have each reason, in the order of submission of the first. */
    public Map<String, Integer> rejections() {
        Map<String, Integer> reasons = new LinkedHashMap<>();
        rejected.forEach(job -> reasons.merge(job.reason, 1, Integer::sum));
        return reasons;
    }

    /** Last completion less first submission, seconds. */
    public double makespanSeconds() {
        long last = 0;
        long first = Long.MAX_VALUE;
        for (JobOutcome job : jobs) {
            last = Math.max(last, job.endNanos());
            first = Math.min(first, job.job().submitNanos());
        }
        return jobs.isEmpty() ? 0 : (last - first) / 1e9;
    }

    /** Mean job completion time, seconds. */
    public double meanJctSeconds() {
        double sum = 0;
        for (JobOutcome job : jobs) {
            sum += job.jctNanos() / 1e9;
        }
        return jobs.isEmpty() ? 0 : sum / jobs.size();
    }

    /** Mean share of the GPUs held, over the makespan. */
    public double gpuUtilisation() {
        double span = makespanSeconds();
        return span > 0 ? busyGpuSeconds / (span * gpus) : 0;
    }
}
