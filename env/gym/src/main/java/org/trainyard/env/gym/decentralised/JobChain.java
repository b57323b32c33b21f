package org.trainyard.env.gym.decentralised;

import java.util.Arrays;
import org.trainyard.env.simulation.SimView;

/** Some of the jobs of a run in the order in which they were appended: append, remove and step in O(1). */
final class JobChain {
    private static final int OUTSIDE = -2;

    private int[] next = {};
    private int[] previous = {};
    private int first = SimView.NONE;
    private int last = SimView.NONE;
    private int size;

    boolean contains(int job) {
        return job < next.length && next[job] != OUTSIDE;
    }

    void append(int job) {
        if (job >= next.length) {
            int before = next.length;
            next = Arrays.copyOf(next, Math.max(64, 2 * job));
            previous = Arrays.copyOf(previous, next.length);
            Arrays.fill(next, before, next.length, OUTSIDE);
        }
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
        next[job] = OUTSIDE;
        size--;
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
}
