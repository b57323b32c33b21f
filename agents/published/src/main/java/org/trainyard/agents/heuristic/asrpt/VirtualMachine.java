package org.trainyard.agents.heuristic.asrpt;

import it.unimi.dsi.fastutil.ints.IntHeapPriorityQueue;
import java.util.Arrays;
import org.trainyard.env.Invalid;

/**
 * A single machine under preemptive shortest remaining processing time, without context-switch cost, which minimises
 * the sum of completion times (L. Schrage: A proof of the optimality of the shortest remaining processing time
 * discipline, 1968).
 *
 * <p>Ties go to the job of the lower number. O(log jobs) per job.
 */
final class VirtualMachine {
    /** Receives completed jobs, in order of their completion. */
    @FunctionalInterface
    interface Completion {
        void done(int job, long atNanos);
    }

    private long[] leftNanos = new long[64];
    private final IntHeapPriorityQueue jobs = new IntHeapPriorityQueue(this::compare);
    private long nowNanos;

    private int compare(int a, int b) {
        int byWork = Long.compare(leftNanos[a], leftNanos[b]);
        return byWork != 0 ? byWork : Integer.compare(a, b);
    }

    /**
     * Advances to {@code atNanos} and submits the job.
     *
     * @param workNanos time the machine needs for the job alone; a job without work completes at the next
     *     {@link #advance}
     */
    void submit(int job, long workNanos, long atNanos, Completion completion) {
        Invalid.when(workNanos < 0, "work (%d ns) must not be negative", workNanos);
        advance(atNanos, completion);
        if (job >= leftNanos.length) {
            leftNanos = Arrays.copyOf(leftNanos, Math.max(2 * leftNanos.length, job + 1));
        }
        leftNanos[job] = workNanos;
        jobs.enqueue(job);
    }

    /** Advances the machine to a time. A time in the past changes nothing. */
    void advance(long toNanos, Completion completion) {
        long elapsed = Math.max(0, toNanos - nowNanos);
        while (!jobs.isEmpty() && leftNanos[jobs.firstInt()] <= elapsed) {
            int job = jobs.dequeueInt();
            elapsed -= leftNanos[job];
            nowNanos += leftNanos[job];
            completion.done(job, nowNanos);
        }
        if (!jobs.isEmpty()) {
            // Less work for the first leaves it first.
            leftNanos[jobs.firstInt()] -= elapsed;
        }
        nowNanos += elapsed;
    }

    /** The next completion if no job is submitted before, or {@code Long.MAX_VALUE}. */
    long nextCompletionNanos() {
        return jobs.isEmpty() ? Long.MAX_VALUE : nowNanos + leftNanos[jobs.firstInt()];
    }
}
