package org.trainyard.experiments.io;

import java.math.BigDecimal;
import java.util.Locale;

/** Formats durations for people and for files. */
public final class Durations {
    private static final long DAY = 86_400;
    private static final long HOUR = 3_600;
    private static final long MINUTE = 60;

    private Durations() {}

    /**
     * The two largest units, such as {@code 3 h 12 min}, {@code 45 s} or {@code 0.25 s}; only the larger one of
     * {@code 5 min}.
     */
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
            return units(whole / MINUTE, "min", whole % MINUTE, "s");
        }
        long minutes = Math.round(seconds / MINUTE);
        if (minutes < DAY / MINUTE) {
            return units(minutes / 60, "h", minutes % 60, "min");
        }
        long hours = Math.round(seconds / HOUR);
        return units(hours / 24, "d", hours % 24, "h");
    }

    private static String units(long large, String unit, long small, String smaller) {
        return large + " " + unit + (small == 0 ? "" : " " + small + " " + smaller);
    }

    /** Nanoseconds as exact seconds: at most nine decimals, no trailing zeros, no exponent. */
    public static String seconds(long nanos) {
        BigDecimal exact = BigDecimal.valueOf(nanos, 9);
        return exact.signum() == 0 ? "0" : exact.stripTrailingZeros().toPlainString();
    }
}
