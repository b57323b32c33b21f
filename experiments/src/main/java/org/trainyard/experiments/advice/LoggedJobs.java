package org.trainyard.experiments.advice;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.trace.TraceJob;

/** Jobs of a log as they might have been. */
final class LoggedJobs {
    private LoggedJobs() {}

    /** Submitted at another time, without its past. */
    static TraceJob submittedAt(TraceJob job, long nanos) {
        return copy(job, nanos, job.virtualCluster());
    }

    /** With its account as the tenant that a quota limits, where it names one. */
    static TraceJob inTenant(TraceJob job) {
        return job.terms().account() == null
                ? job
                : copy(job, job.submitNanos(), job.terms().account());
    }

    private static TraceJob copy(TraceJob job, long submitNanos, @Nullable String tenant) {
        return new TraceJob(
                job.id(),
                submitNanos,
                job.demand(),
                job.durationNanos(),
                job.model(),
                job.user(),
                job.group(),
                tenant,
                null,
                job.adaptiveRun(),
                job.plan(),
                job.utility(),
                job.freezing(),
                job.terms());
    }
}
