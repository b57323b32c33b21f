package org.trainyard.experiments.forecast;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;

/**
 * Submissions to come, drawn from those of the past in blocks: of a day at the same time of day where the past has
 * some days, else of a third of the past (a moving-block bootstrap; H. Künsch, Annals of Statistics 17, 1989). Nobody
 * knows whether the load goes on: each draw keeps a share of the jobs, which is itself drawn from 0 to 1.
 */
final class ArrivalHistory {
    private static final long DAY_NANOS = 86_400_000_000_000L;
    private static final int MOST = 5000;
    /** Days of past from which blocks keep their time of day. */
    private static final int DAYS = 3;

    private final List<TraceJob> submitted;
    private final long nowNanos;
    private final long firstNanos;

    /** @param submitted in order of submission */
    ArrivalHistory(List<TraceJob> submitted, long nowNanos) {
        this.submitted = submitted;
        this.nowNanos = nowNanos;
        firstNanos = submitted.isEmpty() ? nowNanos : submitted.get(0).submitNanos();
    }

    /**
     * Jobs that are submitted within a time from now, in order of submission, with the durations they had; so many
     * at most that a draw stays short.
     */
    List<TraceJob> draw(long horizonNanos, RandomGenerator random) {
        List<TraceJob> drawn = new ArrayList<>();
        double share = random.nextDouble();
        long span = nowNanos - firstNanos;
        if (span <= 0) {
            return drawn;
        }
        boolean isDaily = span >= DAYS * DAY_NANOS;
        long block = isDaily ? DAY_NANOS : Math.max(1, span / 3);
        for (long from = 0; from < horizonNanos && drawn.size() < MOST; from += block) {
            long begin = isDaily
                    ? nowNanos + from % DAY_NANOS - DAY_NANOS * (1 + random.nextLong(span / DAY_NANOS))
                    : firstNanos + random.nextLong(span - block + 1);
            long shift = nowNanos + from - begin;
            for (int i = Trace.firstAtOrAfter(submitted, begin); i < submitted.size() && drawn.size() < MOST; i++) {
                TraceJob job = submitted.get(i);
                if (job.submitNanos() >= begin + block || job.submitNanos() + shift >= nowNanos + horizonNanos) {
                    break;
                }
                if (random.nextDouble() < share) {
                    drawn.add(copy(job, job.submitNanos() + shift, drawn.size()));
                }
            }
        }
        return drawn;
    }

    private static TraceJob copy(TraceJob job, long submitNanos, int number) {
        return new TraceJob(
                        "to come " + number,
                        submitNanos,
                        job.demand(),
                        job.durationNanos(),
                        job.model(),
                        job.user(),
                        job.group(),
                        job.virtualCluster())
                .parallel(job.plan())
                .on(StartDraw.free(job.terms()));
    }
}
