package org.trainyard.agents.heuristic.backfill;

import java.util.Arrays;

/** A number of free GPUs that changes over time, as steps in the order of time. Adding and finding take O(steps). */
final class FreeCount {
    /** Is asked about instants. */
    @FunctionalInterface
    interface Instants {
        boolean accept(long atNanos);
    }

    private long[] from = new long[16];
    private int[] free = new int[16];
    private int steps;

    /** Begins anew with so many from now on. */
    void begin(long nowNanos, int freeNow) {
        steps = 1;
        from[0] = nowNanos;
        free[0] = freeNow;
    }

    /** Becomes equal to another. */
    void copy(FreeCount other) {
        if (from.length < other.steps) {
            from = new long[other.from.length];
            free = new int[from.length];
        }
        System.arraycopy(other.from, 0, from, 0, other.steps);
        System.arraycopy(other.free, 0, free, 0, other.steps);
        steps = other.steps;
    }

    /** Appends an instant, not before the last, at which so many are added. */
    void append(long atNanos, int more) {
        if (from[steps - 1] == atNanos) {
            free[steps - 1] += more;
            return;
        }
        grow();
        from[steps] = atNanos;
        free[steps] = free[steps - 1] + more;
        steps++;
    }

    private void grow() {
        if (steps == from.length) {
            from = Arrays.copyOf(from, 2 * steps);
            free = Arrays.copyOf(free, 2 * steps);
        }
    }

    /** Adds so many in a time, or takes them away. */
    void add(long fromNanos, long toNanos, int more) {
        if (toNanos <= from[0]) {
            return;
        }
        int first = split(Math.max(fromNanos, from[0]));
        int end = split(toNanos);
        for (int step = first; step < end; step++) {
            free[step] += more;
        }
    }

    /** The step that begins at an instant, which is made if there is none. */
    private int split(long atNanos) {
        int step = Arrays.binarySearch(from, 0, steps, atNanos);
        if (step >= 0) {
            return step;
        }
        int at = -step - 1;
        grow();
        System.arraycopy(from, at, from, at + 1, steps - at);
        System.arraycopy(free, at, free, at + 1, steps - at);
        from[at] = atNanos;
        free[at] = free[at - 1];
        steps++;
        return at;
    }

    /** The least number in a time that begins now or later. */
    int least(long fromNanos, long toNanos) {
        int step = Arrays.binarySearch(from, 0, steps, fromNanos);
        int least = Integer.MAX_VALUE;
        for (int i = step >= 0 ? step : -step - 2; i < steps && from[i] < toNanos; i++) {
            least = Math.min(least, free[i]);
        }
        return least;
    }

    /** The number at an instant that is now or later. */
    int at(long atNanos) {
        int step = Arrays.binarySearch(from, 0, steps, atNanos);
        return free[step >= 0 ? step : -step - 2];
    }

    /**
     * The earliest instant, now or the begin of a step, from which there are so many for a time; -1 when there is none.
     *
     * @param accepts whether an instant will do
     */
    long earliest(int gpus, long lengthNanos, long latestNanos, Instants accepts) {
        int start = 0;
        while (start < steps && from[start] <= latestNanos) {
            int tooFew = start;
            while (tooFew < steps && from[tooFew] - from[start] < lengthNanos && free[tooFew] >= gpus) {
                tooFew++;
            }
            boolean isEnough = tooFew == steps || from[tooFew] - from[start] >= lengthNanos;
            if (isEnough && free[start] >= gpus && accepts.accept(from[start])) {
                return from[start];
            }
            start = isEnough ? start + 1 : tooFew + 1;
        }
        return -1;
    }
}
