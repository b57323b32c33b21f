package org.trainyard.env.scheduling.queue;

import java.util.Arrays;

/** Jobs sorted by a key, ties by id, in flat arrays. Insertion and removal: O(log n) comparisons and one block move. */
public final class JobQueue {
    private double[] keys = new double[32];
    private int[] jobs = new int[32];
    private int size;

    public int size() {
        return size;
    }

    public int job(int i) {
        return jobs[i];
    }

    public void add(int job, double key) {
        if (size == jobs.length) {
            keys = Arrays.copyOf(keys, 2 * size);
            jobs = Arrays.copyOf(jobs, 2 * size);
        }
        int at = position(job, key);
        System.arraycopy(keys, at, keys, at + 1, size - at);
        System.arraycopy(jobs, at, jobs, at + 1, size - at);
        keys[at] = key;
        jobs[at] = job;
        size++;
    }

    public void remove(int job, double key) {
        int at = position(job, key);
        if (at >= size || jobs[at] != job) {
            throw new IllegalArgumentException("job (%d) is not in the queue under (%s)".formatted(job, key));
        }
        size--;
        System.arraycopy(keys, at + 1, keys, at, size - at);
        System.arraycopy(jobs, at + 1, jobs, at, size - at);
    }

    private int position(int job, double key) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (keys[middle] < key || (keys[middle] == key && jobs[middle] < job)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
