package org.trainyard.env.simulation;

import java.util.Arrays;

/**
 * The kind and job of every event, in order. Entries that are forgotten make room for others: entry {@code e} is at
 * {@code e} modulo the length of the arrays, a power of two.
 */
final class Journal {
    private byte[] kind;
    private int[] job;
    private int size;
    private int start;
    private int mask;

    /** @param jobs number of jobs known at the start */
    Journal(int jobs) {
        // Arrival, start and completion of every job.
        kind = new byte[Integer.highestOneBit(16 + 3 * jobs) << 1];
        job = new int[kind.length];
        mask = kind.length - 1;
    }

    void add(EventKind ofKind, int ofJob) {
        if (size - start == kind.length) {
            widen();
        }
        kind[size & mask] = ofKind.code;
        job[size++ & mask] = ofJob;
    }

    private void widen() {
        int before = kind.length;
        kind = Arrays.copyOf(kind, 2 * before);
        System.arraycopy(kind, 0, kind, before, before);
        job = Arrays.copyOf(job, 2 * before);
        System.arraycopy(job, 0, job, before, before);
        mask = kind.length - 1;
    }

    int size() {
        return size;
    }

    /** The first entry that is not forgotten. */
    int start() {
        return start;
    }

    EventKind kind(int entry) {
        return EventKind.ofCode(kind[known(entry) & mask]);
    }

    int job(int entry) {
        return job[known(entry) & mask];
    }

    private int known(int entry) {
        if (entry < start) {
            throw new IllegalArgumentException(
                    "entry (%d) of the journal is forgotten; the first that is not is (%d)".formatted(entry, start));
        }
        return entry;
    }

    /** Forgets the entries before the arrival of a job, or all when it has not arrived. */
    void forgetBefore(int oldest) {
        while (start < size && !(job[start & mask] == oldest && kind[start & mask] == EventKind.ARRIVE.code)) {
            start++;
        }
    }

    /** Takes back all entries from this one on; whether there are any. */
    boolean rewind(int entries) {
        boolean isLess = entries < size;
        size = Math.min(size, entries);
        return isLess;
    }

    /** Takes over the entries of another journal. */
    void copy(Journal other) {
        kind = other.kind.clone();
        job = other.job.clone();
        size = other.size;
        start = other.start;
        mask = other.mask;
    }
}
