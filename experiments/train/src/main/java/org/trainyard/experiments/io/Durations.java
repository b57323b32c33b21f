package org.trainyard.experiments.io;

import java.math.BigDecimal;
import java.util.Locale;

/** Formats durations for people and for files. */
public final class Durations {
    private static final long DAY = 86_400;
    private static final long HOUR = 3_600;
    private static final long MINUTE = 60;

    private Durations() {}

    /** The two largest units, such as {@code 3 h 12 min}, {@code 45 s} or {@code 0.25 s}. */
    public static String human(double seconds) {
        if (!Double.isFinite(seconds)) {
            return "-";
        }
        if (seconds < 0) {
            return "-" + human(-seconds);
        }
        if (seconds == 0) {
            return "0 s";
        }
        if (seconds < 9.95) {
            return String.format(Locale.ROOT, seconds < 0.9995 ? "%.3f s" : "%.1f s", seconds);
        }
        long whole = Math.round(seconds);
        if (whole < MINUTE) {
            return whole + " s";
        }
        if (whole < HOUR) {
            return "%d min %d s".formatted(whole / MINUTE, whole % MINUTE);
        }
        long minutes = Math.round(seconds / MINUTE);
        if (minutes < DAY / MINUTE) {
            return "%d h %d min".formatted(minutes / 60, minutes % 60);
        }
        long hours = Math.round(seconds / HOUR);
        return "%d d %d h".formatted(hours / 24, hours % 24);
    }

    /** Nanoseconds as exact seconds: at most nine decimals, no trailing zeros, no exponent. */
    public static String seconds(long nanos) {
        BigDecimal exact = BigDecimal.valueOf(nanos, 9);
        return exact.signum() == 0 ? "0" : exact.stripTrailingZeros().toPlainString();
    }
}
