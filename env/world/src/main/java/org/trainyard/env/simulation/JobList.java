package org.trainyard.env.simulation;

import java.util.Arrays;
import org.trainyard.env.workload.JobSlots;

/** A doubly linked list of jobs by dense id: append, remove and step in O(1), no allocation. */
final class JobList {
    private final JobSlots slots;
    private int[] next;
    private int[] previous;
    private int first = SimView.NONE;
    private int last = SimView.NONE;
    private int size;

    JobList(JobSlots slots, int jobs) {
        this.slots = slots;
        next = new int[jobs];
        previous = new int[jobs];
    }

    /** Makes room for so many jobs. */
    void grow(int jobs) {
        next = Arrays.copyOf(next, jobs);
        previous = Arrays.copyOf(previous, jobs);
    }

    /** The jobs in their order. */
    int[] toArray() {
        int[] jobs = new int[size];
        int at = 0;
        for (int job = first; job != SimView.NONE; job = next[slots.of(job)]) {
            jobs[at++] = job;
        }
        return jobs;
    }

    /** Puts these jobs, in this order, in place of its own. */
    void set(int[] jobs) {
        first = SimView.NONE;
        last = SimView.NONE;
        size = 0;
        for (int job : jobs) {
            append(job);
        }
    }

    int size() {
        return size;
    }

    int first() {
        return first;
    }

    int next(int job) {
        return next[slots.of(job)];
    }

    void append(int job) {
        int slot = slots.of(job);
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

    void remove(int job) {
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
        size--;
    }
}
