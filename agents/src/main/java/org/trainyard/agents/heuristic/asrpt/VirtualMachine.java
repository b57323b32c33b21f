package org.trainyard.agents.heuristic.asrpt;

import it.unimi.dsi.fastutil.ints.IntHeapPriorityQueue;
import java.util.Arrays;

/**
 * One machine that always works on the job with the least work left, and changes over at no cost: preemptive shortest remaining
 * processing time, which minimises the sum of completion times (L. Schrage: A proof of the optimality of the shortest remaining
 * processing time discipline, 1968).
 *
 * <p>Ties go to the job of the lower number. A job costs O(log jobs) in all.
 */
public final class VirtualMachine {
    /** Is told of jobs that are done, in order of their completion. */
    @FunctionalInterface
    public interface Completion {
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
     * Works until then, and takes the job in.
     *
     * @param workNanos how long the machine needs for it alone; one without work is done with the next {@link #advance}
     */
    public void submit(int job, long workNanos, long atNanos, Completion completion) {
        if (workNanos < 0) {
            throw new IllegalArgumentException("work (%d ns) must not be negative".formatted(workNanos));
        }
        advance(atNanos, completion);
        if (job >= leftNanos.length) {
            leftNanos = Arrays.copyOf(leftNanos, Math.max(2 * leftNanos.length, job + 1));
        }
        leftNanos[job] = workNanos;
        jobs.enqueue(job);
    }

    /** Works until then. A time that is past changes nothing. */
    public void advance(long toNanos, Completion completion) {
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

    /** When the next job will be done if no other comes, or {@code Long.MAX_VALUE}. */
    public long nextCompletionNanos() {
        return jobs.isEmpty() ? Long.MAX_VALUE : nowNanos + leftNanos[jobs.firstInt()];
    }
}
