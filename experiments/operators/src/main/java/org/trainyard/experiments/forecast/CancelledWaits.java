package org.trainyard.experiments.forecast;

import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.trainyard.env.workload.TraceJob;

/**
 * How long jobs wait until they are cancelled, by a log: of those that waited as long, the share that was cancelled
 * then, so that jobs which started count until their starts (E. Kaplan, P. Meier, 1958).
 */
public final class CancelledWaits {
    /** Nobody cancels. */
    public static final CancelledWaits ENDLESS = new CancelledWaits(List.of(), List.of(), Long.MAX_VALUE);

    /** Waits until jobs were cancelled, ascending, nanoseconds; and how many jobs, these included, waited as long. */
    private final long[] cancelled;

    private final int[] waited;
    private final long endNanos;

    /**
     * @param cancelledNanos waits of jobs that were cancelled before they started
     * @param jobs that started or wait
     * @param endNanos of the log: jobs that waited at earlier moments are known to have started
     */
    public CancelledWaits(List<Long> cancelledNanos, List<TraceJob> jobs, long endNanos) {
        this.endNanos = endNanos;
        cancelled = cancelledNanos.stream().mapToLong(nanos -> nanos).sorted().toArray();
        long[] others = jobs.stream()
                .filter(job -> job.past() != null)
                .mapToLong(job -> Objects.requireNonNull(job.past()).startNanos() - job.submitNanos())
                .sorted()
                .toArray();
        waited = new int[cancelled.length];
        int shorter = 0;
        for (int i = 0; i < cancelled.length; i++) {
            while (shorter < others.length && others[shorter] < cancelled[i]) {
                shorter++;
            }
            waited[i] = cancelled.length - i + others.length - shorter;
        }
    }

    /** Whether jobs that wait at a moment may be cancelled. */
    boolean endsAfter(long nowNanos) {
        return cancelled.length > 0 && nowNanos >= endNanos;
    }

    /**
     * Draws when a job that waits now is cancelled, unless it starts before; {@link Long#MAX_VALUE} for never.
     * O(cancelled jobs).
     */
    long drawNanos(TraceJob job, long nowNanos, RandomGenerator random) {
        long waits = nowNanos - job.submitNanos();
        for (int i = 0; i < cancelled.length; i++) {
            if (cancelled[i] > waits && random.nextInt(waited[i]) == 0) {
                return job.submitNanos() + cancelled[i];
            }
        }
        return Long.MAX_VALUE;
    }
}
