package org.trainyard.experiments.metrics;

import java.util.List;
import org.trainyard.env.simulation.JobOutcome;

/** The jobs that have something in common: their GPUs, user, group or virtual cluster. */
public record JobGroup(String name, int jobs, Distribution waiting, Distribution jct, Distribution slowdown) {
    static JobGroup of(String name, List<JobOutcome> jobs) {
        return new JobGroup(
                name,
                jobs.size(),
                Distribution.of(jobs, JobMetric.WAIT),
                Distribution.of(jobs, JobMetric.JCT),
                Distribution.of(jobs, JobMetric.SLOWDOWN));
    }
}
