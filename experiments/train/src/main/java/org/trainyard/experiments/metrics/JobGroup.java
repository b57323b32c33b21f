package org.trainyard.experiments.metrics;

import java.util.List;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.workload.Demand;

/**
 * The jobs that have something in common: their GPUs, user, group, virtual cluster, account or QOS.
 *
 * @param timedOut those that were killed at their time limits
 * @param gpuHours that they held
 */
public record JobGroup(
        String name,
        int jobs,
        int timedOut,
        double gpuHours,
        Distribution waiting,
        Distribution jct,
        Distribution slowdown) {
    private static double gpuHours(JobOutcome job) {
        Demand demand = job.job().demand();
        return job.runNanos() / 3.6e12 * demand.gpus() * demand.gpuMilli() / Demand.WHOLE;
    }

    static JobGroup of(String name, List<JobOutcome> jobs) {
        return new JobGroup(
                name,
                jobs.size(),
                (int) jobs.stream().filter(JobOutcome::timedOut).count(),
                jobs.stream().mapToDouble(JobGroup::gpuHours).sum(),
                Distribution.of(jobs, JobMetric.WAIT),
                Distribution.of(jobs, JobMetric.JCT),
                Distribution.of(jobs, JobMetric.SLOWDOWN));
    }
}
