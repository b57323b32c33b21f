package org.trainyard.experiments.io;

import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;

/** Formats times of day for people, to the millisecond. */
public final class TimeOfDay {
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

    private TimeOfDay() {}

    /** A time, such as {@code 23:26:49.000}; anything smaller than a millisecond is cut off. */
    public static String of(TemporalAccessor time) {
        return MILLIS.format(time);
    }
}
