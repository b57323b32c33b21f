package org.trainyard.experiments.metrics;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.workload.Demand;

/**
 * The jobs that have something in common: their GPUs, user, group, virtual cluster, account or QOS.
 *
 * @param timedOut those that were killed at their time limits
 * @param gpuHours that they held; of elastic jobs, as demanded
 * @param ofEntitled see {@link Entitlement}; null where it was not asked for
 */
public record JobGroup(
        String name,
        int jobs,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int timedOut,
        double gpuHours,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double ofEntitled,
        @JsonProperty("wait_s") Distribution waiting,
        @JsonProperty("jct_s") Distribution jct,
        @JsonProperty("jct_slowdown") Distribution slowdown) {
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
                null,
                Distribution.of(jobs, JobMetric.WAIT),
                Distribution.of(jobs, JobMetric.JCT),
                Distribution.of(jobs, JobMetric.SLOWDOWN));
    }

    JobGroup entitled(@Nullable Double ofPart) {
        return new JobGroup(name, jobs, timedOut, gpuHours, ofPart, waiting, jct, slowdown);
    }
}
