package org.trainyard.experiments.simulation;

import java.util.List;
import org.trainyard.env.workload.AskedLimit;
import org.trainyard.env.workload.TraceJob;

/**
 * Jobs that run as long as their log says and are killed at no limit: a limit is at least as long as the run that the log
 * shows. For who preempts there are none, or restarts would end jobs early and look like a gain.
 */
public final class LoggedDurations {
    private static final long MARGIN_NANOS = 1_000_000;

    private LoggedDurations() {}

    /** Jobs for one scheduler; the list itself where nothing changes. */
    public static List<TraceJob> of(List<TraceJob> jobs, boolean preempts) {
        return jobs.stream().allMatch(job -> job.terms().limitNanos() == 0)
                ? jobs
                : jobs.stream()
                        .map(job -> of(job, job.durationNanos(), preempts))
                        .toList();
    }

    /** A job that lasts so long. */
    public static TraceJob of(TraceJob job, long nanos, boolean preempts) {
        long limit = job.terms().limitNanos();
        TraceJob lasting = job.lasting(Math.max(1, nanos));
        long least = nanos + MARGIN_NANOS;
        if (limit == 0 || (!preempts && limit >= least)) {
            return lasting;
        }
        AskedLimit asked = job.of(AskedLimit.class);
        return lasting.on(lasting.terms().but().limitNanos(preempts ? 0 : least).build())
                .attaching(AskedLimit.class, asked == null ? new AskedLimit(limit) : asked);
    }
}
