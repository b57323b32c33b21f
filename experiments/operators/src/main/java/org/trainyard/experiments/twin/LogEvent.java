package org.trainyard.experiments.twin;

import java.util.List;

/**
 * Something that the log of a controller says.
 *
 * @param millis when, milliseconds since 1970 as the clock of the log showed
 * @param kind what
 * @param job the job, node or reservation, as in {@code 17}, {@code 51_2} or {@code 51_*}; empty for a cycle
 * @param number priority, second of a planned start, or 1 for a start by backfill; of a reservation its begin
 * @param other of a reservation its end
 * @param names nodes; of a reservation its users after them
 */
record LogEvent(long millis, Kind kind, String job, long number, long other, List<String> names) {
    /** What happened. */
    enum Kind {
        SUBMIT,
        START,
        END,
        TIMEOUT,
        PREEMPTED,
        CLEANED,
        CANCELLED,
        MAIN,
        MAIN_FULL,
        BACKFILL,
        BACKFILL_END,
        PLAN,
        PRIORITY,
        DECAY,
        DRAIN,
        RESUME,
        HOLD,
        RELEASE,
        RESERVATION
    }

    long second() {
        return Math.floorDiv(millis, 1000);
    }
}
