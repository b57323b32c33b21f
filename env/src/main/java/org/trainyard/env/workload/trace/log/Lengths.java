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

    /** The nanoseconds of a text with colons. */
    public static long nanos(String column, String text) {
        Matcher clock = CLOCK.matcher(text.strip());
        if (!clock.matches()) {
            throw new TraceFieldException(column, text, "a length of time such as 1-02:03:04");
        }
        long seconds =
                number(clock, 1) * 86_400L + number(clock, 2) * 3600L + number(clock, 3) * 60L + number(clock, 4);
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

    /**
     * A limit of Slurm: minutes when it is a plain number, 0 when there is none (UNLIMITED, Partition_Limit) or it cannot be read.
     */
    public static long slurmLimit(String text) {
        String limit = text.strip();
        if (limit.matches("\\d{1,9}")) {
            return Math.min(MOST_SECONDS, Long.parseLong(limit) * 60) * SECOND;
        }
        Matcher clock = CLOCK.matcher(limit);
        if (clock.matches()) {
            return nanos("timelimit", limit);
        }
        Matcher days = Pattern.compile("(\\d{1,5})-(\\d{1,2})").matcher(limit);
        return days.matches() ? (number(days, 1) * 86_400L + number(days, 2) * 3600L) * SECOND : 0;
    }
}
