package org.trainyard.experiments.simulation;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Dates as the clocks of a log say them.
 *
 * @param zeroNanos time 0 of the log, nanoseconds since 1970; 0 where it has no dates
 * @param zone of its clocks; null where they name none
 */
public record LogDates(long zeroNanos, @Nullable ZoneId zone) {
    /** The dates of a log without dates. */
    public static final LogDates NONE = new LogDates(0, null);

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("EEE d MMM yyyy HH:mm", Locale.ENGLISH);

    /** The date of an instant, {@code Sat 10 Jan 2026 06:00}; null where the log has no dates. */
    public @Nullable String of(long nanos) {
        return zeroNanos == 0
                ? null
                : Instant.ofEpochSecond(0, zeroNanos + nanos)
                        .atZone(zone == null ? ZoneOffset.UTC : zone)
                        .format(DATE);
    }
}
