package org.trainyard.env.simulation;

/**
 * The kinds of events in the log and the journal. At one instant completions come first, then jobs killed at their time
 * limits, repairs, outages with the jobs they kill, arrivals, and last the scheduler's decisions.
 */
public enum EventKind {
    FINISH(0),
    ARRIVE(1),
    START(2),
    PREEMPT(3),
    FORWARD(4),
    /** A running job got another placement. */
    RESIZE(5),
    /** An outage stopped a job, which waits again. */
    KILL(6),
    /** A server or a GPU failed; the event has no job. */
    DOWN(7),
    /** A server or a GPU was repaired; the event has no job. */
    UP(8),
    /** A waiting job was turned away for good. */
    REJECT(9),
    /** The number of frozen layers of a running job changed. */
    FREEZE(10),
    /** A running job got more or less host CPU. */
    HOST_CPU(11),
    /** A running job got more or less host memory. */
    HOST_MEMORY(12),
    /**
     * A job was submitted that may not start yet; it arrives when it may. In the journal instead: a running job was
     * preempted and waits again later, with {@link #PREEMPT}.
     */
    HOLD(13),
    /** A running job was killed because it outlived its time limit. In the journal it has finished. */
    TIMEOUT(14);

    private static final EventKind[] BY_CODE = values();

    /** Code of the kind in the event log; must never change. */
    final byte code;

    EventKind(int code) {
        this.code = (byte) code;
    }

    static EventKind ofCode(byte code) {
        return BY_CODE[code];
    }

    /** Whether events of this kind change how fast a running job is, and neither its state nor its GPUs. */
    public boolean changesRateOnly() {
        return this == FREEZE || this == HOST_CPU || this == HOST_MEMORY;
    }

    /** Whether events of this kind have a job, rather than a part of the cluster. */
    public boolean isOfJob() {
        return this != DOWN && this != UP;
    }
}
