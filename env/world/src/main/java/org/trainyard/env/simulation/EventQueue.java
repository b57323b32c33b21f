package org.trainyard.env.simulation;

import java.util.Arrays;
import org.trainyard.env.workload.JobSlots;

/**
 * The scheduled completions, at most one for each job, earliest first, ties in the order in which they were scheduled:
 * a binary heap in flat arrays that allocates only to grow. It knows where the entry of a job is, so that a job whose
 * rate changes moves a few places and leaves nothing behind.
 */
public final class EventQueue {
    private static final int ABSENT = -1;

    private long[] time = new long[64];
    private long[] sequence = new long[64];
    private int[] job = new int[64];
    private int size;
    private final JobSlots slots;
    /** By slot of a job, the entry, or {@link #ABSENT}. */
    private int[] entryOf = new int[0];

    private long nextSequence;

    public EventQueue(JobSlots slots) {
        this.slots = slots;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    public long time() {
        return time[0];
    }

    /** The earliest time; the greatest long for none. */
    public long nextNanos() {
        return isEmpty() ? Long.MAX_VALUE : time[0];
    }

    public int job() {
        return job[0];
    }

    /** Schedules the completion of the job, in place of the one that was scheduled before. O(log n). */
    public void schedule(long atNanos, int ofJob) {
        int entry = entryOf(ofJob);
        if (entry == ABSENT) {
            entry = size++;
            if (entry == time.length) {
                grow();
            }
            rise(entry, atNanos, nextSequence++, ofJob);
        } else if (atNanos < time[entry]) {
            rise(entry, atNanos, nextSequence++, ofJob);
        } else {
            // At the same time too, the job now comes after those that were scheduled before.
            sink(entry, atNanos, nextSequence++, ofJob);
        }
    }

    private int entryOf(int ofJob) {
        int slot = slots.of(ofJob);
        if (slot >= entryOf.length) {
            int known = entryOf.length;
            entryOf = Arrays.copyOf(entryOf, Math.max(64, Math.max(slot + 1, 2 * known)));
            Arrays.fill(entryOf, known, entryOf.length, ABSENT);
        }
        return entryOf[slot];
    }

    /** Removes the completion of the job, if one is scheduled. O(log n). */
    public void remove(int ofJob) {
        int entry = entryOf(ofJob);
        if (entry == ABSENT) {
            return;
        }
        entryOf[slots.of(ofJob)] = ABSENT;
        int last = --size;
        if (entry == last) {
            return;
        }
        if (entry > 0 && before(last, time[(entry - 1) >>> 1], sequence[(entry - 1) >>> 1])) {
            rise(entry, time[last], sequence[last], job[last]);
        } else {
            sink(entry, time[last], sequence[last], job[last]);
        }
    }

    /** Removes the earliest completion and returns its job. O(log n). */
    public int pop() {
        int earliest = job[0];
        remove(earliest);
        return earliest;
    }

    /** Moves the entries above a hole down, until an entry fits there. */
    private void rise(int from, long atNanos, long order, int ofJob) {
        int hole = from;
        while (hole > 0) {
            int parent = (hole - 1) >>> 1;
            if (!(atNanos < time[parent] || (atNanos == time[parent] && order < sequence[parent]))) {
                break;
            }
            move(parent, hole);
            hole = parent;
        }
        set(hole, atNanos, order, ofJob);
    }

    /** Moves the entries below a hole up, until an entry fits there. */
    private void sink(int from, long atNanos, long order, int ofJob) {
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
        set(hole, atNanos, order, ofJob);
    }

    private boolean before(int entry, long otherTime, long otherSequence) {
        return time[entry] < otherTime || (time[entry] == otherTime && sequence[entry] < otherSequence);
    }

    private void move(int from, int to) {
        set(to, time[from], sequence[from], job[from]);
    }

    private void set(int at, long atNanos, long order, int ofJob) {
        time[at] = atNanos;
        sequence[at] = order;
        job[at] = ofJob;
        entryOf[slots.of(ofJob)] = at;
    }

    private void grow() {
        int room = 2 * time.length;
        time = Arrays.copyOf(time, room);
        sequence = Arrays.copyOf(sequence, room);
        job = Arrays.copyOf(job, room);
    }

    /** Takes over the entries of another queue of the same jobs. */
    void copy(EventQueue other) {
        time = other.time.clone();
        sequence = other.sequence.clone();
        job = other.job.clone();
        size = other.size;
        entryOf = other.entryOf.clone();
        nextSequence = other.nextSequence;
    }
}
