package org.trainyard.env.workload.trace.slurm;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trainyard.env.InputException;

/** Single values of Slurm's files and tables; one that cannot be read is refused with its place. */
public final class SlurmText {
    private static final Pattern LICENSE = Pattern.compile("([^:*|=\\s]+)(?:[:*=](\\d{1,9}))?(?:\\|.*)?");

    private SlurmText() {}

    /** A whole number. */
    public static long number(String place, String text) {
        if (!text.matches("-?\\d{1,15}")) {
            throw InputException.at(place, text, "a whole number");
        }
        return Long.parseLong(text);
    }

    /** A decimal number of at least zero. */
    public static double decimal(String place, String text, String expected) {
        if (!text.matches("\\d{1,15}(\\.\\d*)?|\\.\\d+")) {
            throw InputException.at(place, text, expected);
        }
        return Double.parseDouble(text);
    }

    /** Seconds of a span of time, in which a plain number is minutes; -1 for no limit. */
    public static long seconds(String place, String text) {
        if (text.isEmpty() || SlurmDuration.isUnlimited(text) || text.equalsIgnoreCase("NONE")) {
            return -1;
        }
        Long seconds = SlurmDuration.secondsOfPlainMinutes(text);
        if (seconds == null) {
            throw InputException.at(place, text, "a span of time such as 1-12:00:00");
        }
        return seconds;
    }

    /** Milliseconds since 1970 of a time such as {@code 2026-01-31T12:00:00}, as if the clock stood at UTC. */
    public static long millis(String place, String text) {
        try {
            return LocalDateTime.parse(text).toInstant(ZoneOffset.UTC).toEpochMilli();
        } catch (DateTimeParseException | ArithmeticException bad) {
            throw InputException.at(place, text, "a time such as 2026-01-31T12:00:00");
        }
    }

    /** Licences by name, as {@code fluent:30,ansys} says them; of a choice {@code a|b} the first. */
    public static Map<String, Integer> licenses(String place, String text) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (String part : text.isBlank() ? new String[0] : text.strip().split("\\s*[,;]\\s*", -1)) {
            Matcher license = LICENSE.matcher(part);
            if (!license.matches()) {
                throw InputException.at(place, part, "licences such as fluent:30,ansys:2");
            }
            counts.merge(
                    license.group(1), license.group(2) == null ? 1 : Integer.parseInt(license.group(2)), Integer::sum);
        }
        return counts;
    }
}
