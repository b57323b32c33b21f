package org.trainyard.experiments.traces;

import java.util.List;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Flag;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.workload.AskedLimit;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.ModelCatalog;

/**
 * Jobs that run as long as their log says and are killed at no limit: a limit is at least as long as the run that the
 * log shows. A scheduler that preempts is told none, or restarts would end jobs early and look like a gain, but for one
 * under which a job has all of its limit in each run: there a limit is as long as the run with a restart.
 */
public final class LoggedDurations {
    /** Whether a scheduler is told time limits. */
    public enum Told {
        LIMITS,
        LIMITS_OF_EACH_RUN,
        NONE;

        /** By its flags. */
        public static Told to(SchedulerRegistry.Entry scheduler) {
            return !scheduler.takesGpus() ? LIMITS : scheduler.has(Flag.RENEWS_LIMITS) ? LIMITS_OF_EACH_RUN : NONE;
        }
    }

    /** A remark on jobs of a log in a world that slows them down; the remedy follows it. */
    public static final String SLOWED_AGAIN =
            "durations of a log already contain neighbours and links, which slow its jobs down again here; ";

    private static final long MARGIN_NANOS = 1_000_000;

    private LoggedDurations() {}

    /** Jobs for one scheduler; the list itself where nothing changes. */
    public static List<TraceJob> of(List<TraceJob> jobs, Told told, RestartCost restart) {
        if (jobs.stream().allMatch(job -> job.terms().limitNanos() == 0)) {
            return jobs;
        }
        ModelProfile model = ModelCatalog.standard().neutral();
        return jobs.stream()
                .map(job -> of(
                        job,
                        job.durationNanos(),
                        told,
                        told == Told.LIMITS_OF_EACH_RUN
                                ? restart.nanos(WorkloadBuilder.spec(0, job, 0, model, 1), 0)
                                : 0))
                .toList();
    }

    /** A job that lasts so long. */
    public static TraceJob of(TraceJob job, long nanos) {
        return of(job, nanos, Told.LIMITS, 0);
    }

    private static TraceJob of(TraceJob job, long nanos, Told told, long restartNanos) {
        long limit = job.terms().limitNanos();
        TraceJob lasting = job.lasting(Math.max(1, nanos));
        long least = nanos + restartNanos + MARGIN_NANOS;
        if (limit == 0 || (told != Told.NONE && limit >= least)) {
            return lasting;
        }
        AskedLimit asked = job.of(AskedLimit.class);
        return lasting.on(lasting.terms()
                        .but()
                        .limitNanos(told == Told.NONE ? 0 : least)
                        .build())
                .attaching(AskedLimit.class, asked == null ? new AskedLimit(limit) : asked);
    }
}
