package org.trainyard.env.simulation;

/**
 * What the log and the journal tell of. At one instant completions come first, then repairs, outages and the jobs they stop, then
 * arrivals; decisions come last.
 */
public enum EventKind {
    FINISH(0),
    ARRIVE(1),
    START(2),
    PREEMPT(3),
    FORWARD(4),
    /** A running job has other GPUs now. */
    RESIZE(5),
    /** An outage has stopped a job; it waits again. */
    KILL(6),
    /** A server or a GPU is out of order; not of a job. */
    DOWN(7),
    /** A server or a GPU is repaired; not of a job. */
    UP(8);

    private static final EventKind[] BY_CODE = values();

    /** Its byte in the event log; never to change. */
    final byte code;

    EventKind(int code) {
        this.code = (byte) code;
    }

    static EventKind ofCode(byte code) {
        return BY_CODE[code];
    }

    /** Whether it is of a job, rather than of a part of the cluster. */
    public boolean isOfJob() {
        return this != DOWN && this != UP;
    }
}
