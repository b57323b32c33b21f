package org.trainyard.env.simulation;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * The scheduled completions, earliest first, ties in order of insertion: a binary heap in flat arrays that allocates only to grow.
 *
 * <p>An entry is stale when the job's version has changed since; stale entries are dropped when popped, or all at once when the heap is
 * full.
 */
final class EventQueue {
    private long[] time = new long[64];
    private long[] sequence = new long[64];
    private int[] job = new int[64];
    private int[] version = new int[64];
    private int size;
    private long nextSequence;

    boolean isEmpty() {
        return size == 0;
    }

    long time() {
        return time[0];
    }

    int job() {
        return job[0];
    }

    int version() {
        return version[0];
    }

    /** @param versions by job, the current version */
    void push(long atNanos, int ofJob, int ofVersion, int[] versions) {
        if (size == time.length) {
            dropStale(versions);
            if (2 * size > time.length) {
                grow();
            }
        }
        int hole = size++;
        long order = nextSequence++;
        while (hole > 0) {
            int parent = (hole - 1) >>> 1;
            if (time[parent] <= atNanos) {
                break;
            }
            move(parent, hole);
            hole = parent;
        }
        set(hole, atNanos, order, ofJob, ofVersion);
    }

    void pop() {
        int last = --size;
        long atNanos = time[last];
        long order = sequence[last];
        int ofJob = job[last];
        int ofVersion = version[last];
        sink(0, atNanos, order, ofJob, ofVersion);
    }

    /** Sifts an entry down from a hole. */
    private void sink(int from, long atNanos, long order, int ofJob, int ofVersion) {
        int hole = from;
        while (2 * hole + 1 < size) {
            int child = 2 * hole + 1;
            if (child + 1 < size && before(child + 1, time[child], sequence[child])) {
                child++;
            }
            if (!before(child, atNanos, order)) {
                break;
            }
            move(child, hole);
            hole = child;
        }
        set(hole, atNanos, order, ofJob, ofVersion);
    }

    private void dropStale(int[] versions) {
        int kept = 0;
        for (int entry = 0; entry < size; entry++) {
            if (version[entry] == versions[job[entry]]) {
                move(entry, kept++);
            }
        }
        size = kept;
        for (int entry = size / 2 - 1; entry >= 0; entry--) {
            sink(entry, time[entry], sequence[entry], job[entry], version[entry]);
        }
    }

    private boolean before(int entry, long otherTime, long otherSequence) {
        return time[entry] < otherTime || (time[entry] == otherTime && sequence[entry] < otherSequence);
    }

    private void move(int from, int to) {
        time[to] = time[from];
        sequence[to] = sequence[from];
        job[to] = job[from];
        version[to] = version[from];
    }

    private void set(int at, long atNanos, long order, int ofJob, int ofVersion) {
        time[at] = atNanos;
        sequence[at] = order;
        job[at] = ofJob;
        version[at] = ofVersion;
    }

    private void grow() {
        time = Arrays.copyOf(time, 2 * size);
        sequence = Arrays.copyOf(sequence, 2 * size);
        job = Arrays.copyOf(job, 2 * size);
        version = Arrays.copyOf(version, 2 * size);
    }

    void save(DataOutput out) throws IOException {
        out.writeInt(size);
        out.writeLong(nextSequence);
        ArraysIo.write(out, size, time, sequence);
        ArraysIo.write(out, size, job, version);
    }

    void load(DataInput in) throws IOException {
        int entries = in.readInt();
        nextSequence = in.readLong();
        size = entries;
        while (time.length < entries) {
            time = new long[2 * time.length];
            sequence = new long[time.length];
            job = new int[time.length];
            version = new int[time.length];
        }
        ArraysIo.read(in, size, time, sequence);
        ArraysIo.read(in, size, job, version);
    }
}
