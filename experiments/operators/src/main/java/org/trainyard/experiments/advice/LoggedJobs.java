package org.trainyard.experiments.advice;

import org.trainyard.env.workload.TraceJob;

/** Jobs of a log as they might have been. */
final class LoggedJobs {
    private LoggedJobs() {}

    /** With its account as the tenant that a quota limits, where it names one. */
    static TraceJob inTenant(TraceJob job) {
        String account = job.terms().account();
        if (account == null) {
            return job;
        }
        return new TraceJob(
                job.id(),
                job.submitNanos(),
                job.demand(),
                job.durationNanos(),
                job.model(),
                job.user(),
                job.group(),
                account,
                null,
                job.hidden(),
                job.plan(),
                job.attached(),
                job.terms());
    }
}
