package org.trainyard.env.simulation;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/** A doubly linked list of jobs by dense id: append, remove and step in O(1), no allocation. */
final class JobList {
    private int[] next;
    private int[] previous;
    private int first = SimView.NONE;
    private int last = SimView.NONE;
    private int size;

    JobList(int jobs) {
        next = new int[jobs];
        previous = new int[jobs];
        Arrays.fill(next, SimView.NONE);
        Arrays.fill(previous, SimView.NONE);
    }

    /** Makes room for so many jobs. */
    void grow(int jobs) {
        int before = next.length;
        next = Arrays.copyOf(next, jobs);
        previous = Arrays.copyOf(previous, jobs);
        Arrays.fill(next, before, jobs, SimView.NONE);
        Arrays.fill(previous, before, jobs, SimView.NONE);
    }

    /** The jobs in their order. */
    int[] toArray() {
        int[] jobs = new int[size];
        int at = 0;
        for (int job = first; job != SimView.NONE; job = next[job]) {
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
        return next[job];
    }

    void append(int job) {
        previous[job] = last;
        next[job] = SimView.NONE;
        if (last == SimView.NONE) {
            first = job;
        } else {
            next[last] = job;
        }
        last = job;
        size++;
    }

    void remove(int job) {
        int before = previous[job];
        int after = next[job];
        if (before == SimView.NONE) {
            first = after;
        } else {
            next[before] = after;
        }
        if (after == SimView.NONE) {
            last = before;
        } else {
            previous[after] = before;
        }
        size--;
    }

    void save(DataOutput out) throws IOException {
        out.writeInt(size);
        for (int job = first; job != SimView.NONE; job = next[job]) {
            out.writeInt(job);
        }
    }

    /** Loads into an empty list. */
    void load(DataInput in) throws IOException {
        for (int left = in.readInt(); left > 0; left--) {
            append(in.readInt());
        }
    }
}
