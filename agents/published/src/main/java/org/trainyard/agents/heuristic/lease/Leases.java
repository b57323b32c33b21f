package org.trainyard.agents.heuristic.lease;

import it.unimi.dsi.fastutil.ints.IntArrayFIFOQueue;
import it.unimi.dsi.fastutil.longs.LongArrayFIFOQueue;
import java.util.Arrays;
import org.trainyard.env.simulation.SimView;

/**
 * Leases of one length in order of their ends. Because all have one length, those that began first end first, and a
 * queue is all that is sorted: O(1) for each lease.
 */
final class Leases {
    /** The end of the lease of a job that has none. */
    static final long NO_LEASE = Long.MAX_VALUE;

    /**
     * Jobs in order of the ends of their leases, and those ends; an entry is stale when its job has another lease by
     * now, or none.
     */
    private final IntArrayFIFOQueue jobs = new IntArrayFIFOQueue();

    private final LongArrayFIFOQueue ends = new LongArrayFIFOQueue();
    private long[] endNanos = new long[0];

    /** Begins a lease in place of the one that the job has; no lease that began before ends later. */
    void begin(int job, long end) {
        if (job >= endNanos.length) {
            int before = endNanos.length;
            endNanos = Arrays.copyOf(endNanos, Math.max(64, 2 * (job + 1)));
            Arrays.fill(endNanos, before, endNanos.length, NO_LEASE);
        }
        endNanos[job] = end;
        jobs.enqueue(job);
        ends.enqueue(end);
    }

    /** Takes the job's lease away, if it has one. */
    void cancel(int job) {
        if (job < endNanos.length) {
            endNanos[job] = NO_LEASE;
        }
    }

    /** Whether the job's lease has ended. */
    boolean isOver(int job, long nowNanos) {
        return endNanos[job] <= nowNanos;
    }

    /** The next job whose lease has ended, which is told once for each lease; or {@link SimView#NONE}. */
    int nextOver(long nowNanos) {
        if (nextEndNanos() > nowNanos) {
            return SimView.NONE;
        }
        ends.dequeueLong();
        return jobs.dequeueInt();
    }

    /** The end of the first lease that was not told to be over; {@link #NO_LEASE} when there is none. */
    long nextEndNanos() {
        while (!jobs.isEmpty() && endNanos[jobs.firstInt()] != ends.firstLong()) {
            jobs.dequeueInt();
            ends.dequeueLong();
        }
        return jobs.isEmpty() ? NO_LEASE : ends.firstLong();
    }
}
