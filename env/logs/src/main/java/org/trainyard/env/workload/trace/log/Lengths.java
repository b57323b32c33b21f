package org.trainyard.env.workload.trace.log;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trainyard.env.workload.log.TraceFieldException;

/** Lengths of time as batch systems write them: {@code 90}, {@code 01:30}, {@code 1-02:03:04}, {@code 26:03:04.5}. */
public final class Lengths {
    private static final Pattern CLOCK =
            Pattern.compile("(?:(\\d{1,5})-)?(?:(\\d{1,6}):)?(\\d{1,6}):(\\d{1,2})(?:\\.(\\d{1,9}))?");

    private static final long SECOND = 1_000_000_000L;

    private static final long MOST_SECONDS = 100L * 365 * 86_400;

    private Lengths() {}

    /** The nanoseconds of a text with colons; its last number is minutes after days and one colon, else seconds. */
    public static long nanos(String column, String text) {
        Matcher clock = CLOCK.matcher(text.strip());
        if (!clock.matches()) {
            throw new TraceFieldException(column, text, "a length of time such as 1-02:03:04");
        }
        long last = number(clock, 3) * 60 + number(clock, 4);
        boolean endsInMinutes = clock.group(1) != null && clock.group(2) == null;
        long seconds = number(clock, 1) * 86_400 + (endsInMinutes ? last * 60 : number(clock, 2) * 3600 + last);
        String fraction = clock.group(5);
        long nanos = fraction == null ? 0 : Long.parseLong((fraction + "000000000").substring(0, 9));
        if (seconds > MOST_SECONDS) {
            throw new TraceFieldException(column, text, "a length of less than 100 years");
        }
        return seconds * SECOND + nanos;
    }

    private static long number(Matcher clock, int group) {
        String digits = clock.group(group);
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
