package org.trainyard.env.simulation;

/** What the log and the journal tell of; at one instant, completions come before arrivals and decisions come last. */
public enum EventKind {
    FINISH(0),
    ARRIVE(1),
    START(2),
    PREEMPT(3),
    FORWARD(4);

    private static final EventKind[] BY_CODE = values();

    /** Its byte in the event log; never to change. */
    final byte code;

    EventKind(int code) {
        this.code = (byte) code;
    }

    static EventKind ofCode(byte code) {
        return BY_CODE[code];
    }
}
