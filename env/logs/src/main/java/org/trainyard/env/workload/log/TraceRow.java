package org.trainyard.env.workload.log;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceLimits;

/** One row of a trace, asked for its fields by column; an unusable field is a {@link TraceFieldException}. */
public final class TraceRow {
    public static final long SECOND = 1_000_000_000L;
    public static final long MILLI = 1_000_000L;
    public static final long MICRO = 1_000L;
    /** Expected value in place of a duration of exactly zero, to tell it from nonsense. */
    public static final String NOT_ZERO = "a time longer than zero";

    private static final String ABOVE_ZERO_TIME = "a time above zero";

    /** Bounded on purpose: an exponent of nine digits is a number too, and takes a day to scale. */
    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(\\d{1,40}(\\.\\d{0,40})?|\\.\\d{1,40})([eE][+-]?\\d{1,2})?");

    /** A date and time with the end of a zone. */
    private static final Pattern ZONED = Pattern.compile("^\\d{4}-.*(Z|[+-]\\d\\d(:?\\d\\d)?)$");

    private static final Set<String> UNKNOWN = Set.of("unknown", "none", "n/a", "null", "<none>", "nat", "<na>", "\\n");

    private static final String GPUS = "a whole number of GPUs from 1 to " + TraceLimits.GPUS;

    /** Digits that a {@code long} always holds. */
    private static final int LONG_DIGITS = 18;

    private final TraceColumns columns;
    private final List<String> fields;
    private final int line;
    private boolean dated;

    public TraceRow(TraceColumns columns, List<String> fields, int line) {
        this.columns = columns;
        this.fields = fields;
        this.line = line;
    }

    public int line() {
        return line;
    }

    /** The column's text as it stands. */
    public String text(String column) {
        String text = raw(column);
        if (text.isBlank()) {
            throw new TraceFieldException(column, text, "a name");
        }
        return text;
    }

    /** The column's text as it stands; null when the column is missing or the field empty. */
    public @Nullable String textOrNull(String column) {
        int at = columns.indexOf(column);
        String text = at < 0 ? "" : fields.get(at);
        return text.isBlank() ? null : text;
    }

    /** The column's text as it stands, or another when the column is missing or the field empty. */
    public String textOr(String column, String otherwise) {
        String text = textOrNull(column);
        return text == null ? otherwise : text;
    }

    /** A time of zero or more in seconds, or an instant with a zone, which makes the row {@link #isDated}. */
    public long secondsOrInstant(String column) {
        String text = raw(column).strip();
        if (isWhole(text) || NUMBER.matcher(text).matches()) {
            return nanos(column, SECOND);
        }
        if (!ZONED.matcher(text).find()) {
            throw new TraceFieldException(
                    column, text, "a time of zero or more in seconds, or an instant such as 2026-01-31T12:00:00Z");
        }
        dated = true;
        return clockNanos(column);
    }

    /** Whether one of its times was an instant. */
    public boolean isDated() {
        return dated;
    }

    /**
     * Whether the column is there and has a time: not empty, Unknown, None, N/A or another program's word for no value.
     */
    public boolean isKnown(String column) {
        String raw = textOr(column, "");
        if (!raw.isEmpty() && raw.charAt(0) >= '0' && raw.charAt(0) <= '9') {
            return true;
        }
        String text = raw.strip().toLowerCase(Locale.ROOT);
        return !text.isEmpty() && !UNKNOWN.contains(text);
    }

    private long clockNanos(String column) {
        return new LogClock(null).nanos(column, raw(column), 0);
    }

    /** A whole number of GPUs, at least one. */
    public int gpus(String column) {
        BigDecimal gpus = number(column, GPUS);
        if (gpus.compareTo(BigDecimal.ONE) < 0
                || gpus.compareTo(BigDecimal.valueOf(TraceLimits.GPUS)) > 0
                || gpus.stripTrailingZeros().scale() > 0) {
            throw new TraceFieldException(column, raw(column), GPUS);
        }
        return gpus.intValueExact();
    }

    /** A whole number between the two; {@code otherwise} when the column is missing or the field empty. */
    public long wholeOr(String column, long least, long most, long otherwise) {
        return textOrNull(column) == null ? otherwise : whole(column, least, most);
    }

    /** A whole number between the two. */
    public long whole(String column, long least, long most) {
        String expected = "a whole number from %d to %d".formatted(least, most);
        BigDecimal number = number(column, expected);
        if (number.compareTo(BigDecimal.valueOf(least)) < 0
                || number.compareTo(BigDecimal.valueOf(most)) > 0
                || number.stripTrailingZeros().scale() > 0) {
            throw new TraceFieldException(column, raw(column), expected);
        }
        return number.longValueExact();
    }

    /** A time of zero or more in units of {@code nanosPerUnit}, rounded to the nearest nanosecond. */
    public long nanos(String column, long nanosPerUnit) {
        BigDecimal time = number(column, "a time of zero or more");
        return exactNanos(column, time.multiply(BigDecimal.valueOf(nanosPerUnit)), "a time of zero or more");
    }

    /** A number of seconds of zero or more, as nanoseconds; the column is named when it cannot be used. */
    public long nanos(String column, BigDecimal seconds, String expected) {
        if (seconds.signum() < 0 || seconds.precision() - seconds.scale() > 12) {
            throw new TraceFieldException(column, textOr(column, seconds.toPlainString()), expected);
        }
        return exactNanos(column, seconds.multiply(BigDecimal.valueOf(SECOND)), expected);
    }

    /** Nanoseconds of a time above zero in the given unit; zero is refused. */
    public long nanosAboveZero(String column, long nanosPerUnit) {
        BigDecimal time = number(column, ABOVE_ZERO_TIME);
        return aboveZero(column, exactNanos(column, time.multiply(BigDecimal.valueOf(nanosPerUnit)), ABOVE_ZERO_TIME));
    }

    private long aboveZero(String column, long nanos) {
        if (nanos == 0) {
            throw new TraceFieldException(column, raw(column), NOT_ZERO);
        }
        return nanos;
    }

    private long exactNanos(String column, BigDecimal exact, String expected) {
        if (exact.signum() < 0) {
            throw new TraceFieldException(column, raw(column), expected);
        }
        BigDecimal rounded = exact.setScale(0, RoundingMode.HALF_EVEN);
        if (rounded.compareTo(BigDecimal.valueOf(TraceLimits.NANOS)) > 0) {
            throw new TraceFieldException(column, raw(column), "a time of less than 146 years");
        }
        return rounded.longValueExact();
    }

    /** Whether the field is a number. */
    public boolean isNumber(String column) {
        String text = raw(column).strip();
        return isWhole(text) || NUMBER.matcher(text).matches();
    }

    /** The field as a number. */
    public BigDecimal number(String column, String expected) {
        String text = raw(column).strip();
        if (isWhole(text)) {
            return BigDecimal.valueOf(Long.parseLong(text));
        }
        if (!NUMBER.matcher(text).matches()) {
            throw new TraceFieldException(column, text, expected);
        }
        return new BigDecimal(text);
    }

    /** Whether the text is digits and no more than a {@code long} holds, as most numbers of a trace are. */
    private static boolean isWhole(String text) {
        return isWhole(text, LONG_DIGITS);
    }

    /** Whether the text is one digit or more, at most so many, and nothing else. */
    public static boolean isWhole(String text, int mostDigits) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= mostDigits;
    }

    private String raw(String column) {
        return fields.get(columns.indexOf(column));
    }
}
