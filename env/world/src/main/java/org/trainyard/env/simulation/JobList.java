package org.trainyard.env.simulation;

import java.util.Arrays;
import org.trainyard.env.workload.JobSlots;

/** Some of the jobs of a run in the order in which they were appended: append, remove and step in O(1). */
public final class JobList {
    private static final int OUTSIDE = -2;

    private final JobSlots slots;
    private int[] next = {};
    private int[] previous = {};
    private int first = SimView.NONE;
    private int last = SimView.NONE;
    private int size;

    /** An empty list of jobs with these slots. */
    public JobList(JobSlots slots) {
        this.slots = slots;
    }

    /** The jobs in their order. */
    int[] toArray() {
        int[] jobs = new int[size];
        int at = 0;
        for (int job = first; job != SimView.NONE; job = next(job)) {
            jobs[at++] = job;
        }
        return jobs;
    }

    /** Puts these jobs, in this order, in place of its own. */
    void set(int[] jobs) {
        while (size > 0) {
            remove(first);
        }
        for (int job : jobs) {
            append(job);
        }
    }

    public int size() {
        return size;
    }

    public boolean contains(int job) {
        int slot = slots.of(job);
        return slot < next.length && next[slot] != OUTSIDE;
    }

    public int first() {
        return first;
    }

    public int next(int job) {
        return next[slots.of(job)];
    }

    public void append(int job) {
        int slot = slots.of(job);
        if (slot >= next.length) {
            int before = next.length;
            next = Arrays.copyOf(next, Math.max(64, 2 * slot));
            previous = Arrays.copyOf(previous, next.length);
            Arrays.fill(next, before, next.length, OUTSIDE);
        }
        previous[slot] = last;
        next[slot] = SimView.NONE;
        if (last == SimView.NONE) {
            first = job;
        } else {
            next[slots.of(last)] = job;
        }
        last = job;
        size++;
    }

    public void remove(int job) {
        int slot = slots.of(job);
        int before = previous[slot];
        int after = next[slot];
        if (before == SimView.NONE) {
            first = after;
        } else {
            next[slots.of(before)] = after;
        }
        if (after == SimView.NONE) {
            last = before;
        } else {
            previous[slots.of(after)] = before;
        }
        next[slot] = OUTSIDE;
        size--;
    }
}
