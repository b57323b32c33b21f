package org.trainyard.experiments.twin;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.trainyard.experiments.io.TimeOfDay;

/**
 * An event in the log of a controller.
 *
 * @param millis time of the event, milliseconds since 1970 by the clock of the log
 * @param job the job, node or reservation, as in {@code 17}, {@code 51_2} or {@code 51_*}; empty for a cycle
 * @param number priority, second of a planned start, or 1 for a start by backfill; of a reservation its begin
 * @param other of a reservation its end
 * @param names nodes; of a reservation its users after them; of priorities {@code partition=priority} of each
 */
record LogEvent(long millis, Kind kind, String job, long number, long other, List<String> names) {
    /** Kind of an event. */
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
        PRIORITIES,
        DECAY,
        DRAIN,
        RESUME,
        HOLD,
        RELEASE,
        RESERVATION
    }

    /** Cancellation of a job so long after the second that the accounting says. */
    static LogEvent cancelled(TwinRun run, long laterMillis) {
        return new LogEvent(run.endMillis() + laterMillis, Kind.CANCELLED, run.job(), 0, 0, List.of());
    }

    /** Time of day of an instant with its milliseconds, {@code 23:26:49.000}. */
    static String timeOfDay(long millis) {
        return TimeOfDay.of(Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC));
    }

    long second() {
        return Math.floorDiv(millis, 1000);
    }
}
