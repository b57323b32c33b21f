package org.trainyard.agents.heuristic.backfill;

import java.util.Arrays;

/** The instants at which running jobs are expected to end, in their order, with what then becomes free, in arrays. */
final class ExpectedEnds {
    private long[] at = new long[64];
    private int[] gpus = new int[64];
    private int[] jobs = new int[64];
    private int size;

    void clear() {
        size = 0;
    }

    /** Adds a job that ends at an instant and gives back so many GPUs. O(log instants), and moves those behind. */
    void add(long atNanos, int more) {
        int found = Arrays.binarySearch(at, 0, size, atNanos);
        int place = found >= 0 ? found : -found - 1;
        if (found < 0) {
            if (size == at.length) {
                at = Arrays.copyOf(at, 2 * size);
                gpus = Arrays.copyOf(gpus, 2 * size);
                jobs = Arrays.copyOf(jobs, 2 * size);
            }
            move(place, place + 1);
            size++;
            at[place] = atNanos;
            gpus[place] = 0;
            jobs[place] = 0;
        }
        gpus[place] += more;
        jobs[place]++;
    }

    /** Removes a job that was added so. */
    void remove(long atNanos, int less) {
        int place = Arrays.binarySearch(at, 0, size, atNanos);
        gpus[place] -= less;
        if (--jobs[place] == 0) {
            move(place + 1, place);
            size--;
        }
    }

    private void move(int from, int to) {
        System.arraycopy(at, from, at, to, size - from);
        System.arraycopy(gpus, from, gpus, to, size - from);
        System.arraycopy(jobs, from, jobs, to, size - from);
    }

    /** Appends all to a count of free GPUs. O(instants). */
    void appendTo(FreeCount count) {
        for (int i = 0; i < size; i++) {
            count.append(at[i], gpus[i]);
        }
    }
}
