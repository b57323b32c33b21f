package org.trainyard.env.workload.trace.slurm;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lengths of time in Slurm's configuration, commands and accounting: minutes, minutes:seconds, hours:minutes:seconds,
 * days-hours, days-hours:minutes or days-hours:minutes:seconds.
 */
public final class SlurmDuration {
    private static final Pattern FORMS = Pattern.compile("(?:(\\d{1,7})-)?(\\d{1,9})(?::(\\d{1,9}))?(?::(\\d{1,9}))?");

    private SlurmDuration() {}

    /** Whether a text says in Slurm's words that there is no limit. */
    public static boolean isUnlimited(String text) {
        return text.equalsIgnoreCase("UNLIMITED") || text.equalsIgnoreCase("INFINITE") || text.equals("-1");
    }

    /** Seconds of a text in which a plain number is minutes; null when it has none of the forms. */
    public static @Nullable Long secondsOfPlainMinutes(String text) {
        Matcher parts = FORMS.matcher(text.strip());
        if (!parts.matches()) {
            return null;
        }
        long first = number(parts, 2);
        long second = number(parts, 3);
        long third = number(parts, 4);
        boolean hasHours = parts.group(1) != null || parts.group(4) != null;
        return hasHours ? ((number(parts, 1) * 24 + first) * 60 + second) * 60 + third : first * 60 + second;
    }

    private static long number(Matcher parts, int group) {
        String digits = parts.group(group);
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
