package org.trainyard.env.workload.trace.log;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.Demand;

/** One row of a trace, asked for its fields by column; what cannot be used is a {@link TraceFieldException}. */
public final class TraceRow {
    public static final long SECOND = 1_000_000_000L;
    public static final long MILLI = 1_000_000L;
    public static final long MICRO = 1_000L;
    /** What is said of a duration of exactly zero, to tell it from nonsense. */
    public static final String NOT_ZERO = "a time longer than zero";

    private static final String ABOVE_ZERO_TIME = "a time above zero";

    /** Bounded on purpose: an exponent of nine digits is a number too, and takes a day to scale. */
    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(\\d{1,40}(\\.\\d{0,40})?|\\.\\d{1,40})([eE][+-]?\\d{1,2})?");

    /** A date and time with the end of a zone. */
    private static final Pattern ZONED = Pattern.compile("^\\d{4}-.*(Z|[+-]\\d\\d(:?\\d\\d)?)$");

    private static final Set<String> UNKNOWN = Set.of("unknown", "none", "n/a", "null", "<none>");

    private static final String GPUS = "a whole number of GPUs from 1 to " + TraceLimits.GPUS;

    /** Digits that a {@code long} always holds. */
    private static final int LONG_DIGITS = 18;

    /** How dates are written; apart, because most traces have none and formatters take long to build. */
    private static final class Dates {
        private static final DateTimeFormatter ISO = new DateTimeFormatterBuilder()
                .appendPattern("uuuu-MM-dd['T'][' ']HH:mm:ss")
                .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
                .appendPattern("[XXX][XX][X]")
                .toFormatter(Locale.ROOT)
                .withResolverStyle(ResolverStyle.STRICT);

        private static final DateTimeFormatter WALL_CLOCK =
                DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withResolverStyle(ResolverStyle.STRICT);

        private Dates() {}
    }

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
        String text = columns.has(column) ? raw(column) : "";
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

    /** Whether the column is there and has a time: not empty, Unknown, None or N/A. */
    public boolean isKnown(String column) {
        String text = textOr(column, "").strip().toLowerCase(Locale.ROOT);
        return !text.isEmpty() && !UNKNOWN.contains(text);
    }

    /**
     * An instant, as nanoseconds since 1970: ISO 8601 with a zone ({@code 2026-01-31T12:00:00Z}), the same without one as a clock of an unknown zone, or
     * seconds since 1970.
     */
    public long clockNanos(String column) {
        String text = raw(column).strip();
        String expected = "a time such as 2026-01-31T12:00:00 or 2026-01-31T12:00:00+01:00, between 1970 and 2100";
        if (NUMBER.matcher(text).matches()) {
            return within(column, nanos(column, SECOND), expected);
        }
        try {
            TemporalAccessor time = Dates.ISO.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
            OffsetDateTime instant =
                    time instanceof OffsetDateTime zoned ? zoned : ((LocalDateTime) time).atOffset(ZoneOffset.UTC);
            if (instant.getYear() < 1970 || instant.getYear() >= 2100) {
                throw new TraceFieldException(column, text, expected);
            }
            return within(column, instant.toEpochSecond() * SECOND + instant.getNano(), expected);
        } catch (DateTimeException e) {
            throw new TraceFieldException(column, text, expected);
        }
    }

    private long within(String column, long nanos, String expected) {
        if (nanos < 0 || nanos > TraceLimits.NANOS) {
            throw new TraceFieldException(column, raw(column), expected);
        }
        return nanos;
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

    /** Equal instances, each with so many hundredths of a GPU: parts of one GPU, or whole GPUs when it is more than one. */
    public Demand instances(String countColumn, String hundredthsColumn) {
        int instances = gpus(countColumn);
        String expected = "hundredths of a GPU above zero, at most %d GPUs in all".formatted(TraceLimits.GPUS);
        BigDecimal hundredths = number(hundredthsColumn, expected);
        BigDecimal each = hundredths.movePointLeft(2).setScale(0, RoundingMode.CEILING);
        BigDecimal all = each.multiply(BigDecimal.valueOf(instances));
        BigDecimal milli = hundredths.movePointRight(1).setScale(0, RoundingMode.CEILING);
        if (hundredths.signum() <= 0 || all.compareTo(BigDecimal.valueOf(TraceLimits.GPUS)) > 0) {
            throw new TraceFieldException(hundredthsColumn, raw(hundredthsColumn), expected);
        }
        Demand whole = Demand.ofGpus(all.intValueExact());
        return milli.compareTo(BigDecimal.valueOf(Demand.WHOLE)) < 0
                ? whole.withGpuMilli(milli.intValueExact())
                : whole;
    }

    /** A time of zero or more in units of {@code nanosPerUnit}, rounded to the nearest nanosecond. */
    public long nanos(String column, long nanosPerUnit) {
        BigDecimal time = number(column, "a time of zero or more");
        return nanos(column, time.multiply(BigDecimal.valueOf(nanosPerUnit)), "a time of zero or more");
    }

    /** As {@link #nanos(String, long)}, but zero is refused. */
    public long nanosAboveZero(String column, long nanosPerUnit) {
        BigDecimal time = number(column, ABOVE_ZERO_TIME);
        return aboveZero(column, nanos(column, time.multiply(BigDecimal.valueOf(nanosPerUnit)), ABOVE_ZERO_TIME));
    }

    /** A count of steps and the time of one, multiplied; refused when zero. */
    public long nanosAboveZero(String countColumn, String unitColumn, long nanosPerUnit) {
        BigDecimal count = number(countColumn, "a number above zero");
        BigDecimal unit = number(unitColumn, ABOVE_ZERO_TIME);
        if (count.signum() <= 0) {
            throw new TraceFieldException(
                    countColumn, raw(countColumn), count.signum() == 0 ? NOT_ZERO : "a number above zero");
        }
        BigDecimal nanos = count.multiply(unit).multiply(BigDecimal.valueOf(nanosPerUnit));
        return aboveZero(unitColumn, nanos(unitColumn, nanos, ABOVE_ZERO_TIME));
    }

    /** The time from one instant to a later one; refused when there is none. */
    public long nanosBetween(String fromColumn, String toColumn, long nanosPerUnit) {
        long between = nanos(toColumn, nanosPerUnit) - nanos(fromColumn, nanosPerUnit);
        if (between < 0) {
            throw new TraceFieldException(toColumn, raw(toColumn), "a time after the column " + fromColumn);
        }
        return aboveZero(toColumn, between);
    }

    /** A wall clock without a zone, as nanoseconds since 1970 on that clock. */
    public long wallClockNanos(String column) {
        String text = raw(column).strip();
        String expected = "a wall clock as yyyy-MM-dd HH:mm:ss between 1970 and 2100";
        try {
            LocalDateTime clock = LocalDateTime.parse(text, Dates.WALL_CLOCK);
            if (clock.getYear() >= 1970 && clock.getYear() < 2100) {
                return clock.toEpochSecond(ZoneOffset.UTC) * SECOND;
            }
        } catch (DateTimeException e) {
            throw new TraceFieldException(column, text, expected);
        }
        throw new TraceFieldException(column, text, expected);
    }

    private long aboveZero(String column, long nanos) {
        if (nanos == 0) {
            throw new TraceFieldException(column, raw(column), NOT_ZERO);
        }
        return nanos;
    }

    private long nanos(String column, BigDecimal exact, String expected) {
        if (exact.signum() < 0) {
            throw new TraceFieldException(column, raw(column), expected);
        }
        BigDecimal rounded = exact.setScale(0, RoundingMode.HALF_EVEN);
        if (rounded.compareTo(BigDecimal.valueOf(TraceLimits.NANOS)) > 0) {
            throw new TraceFieldException(column, raw(column), "a time of less than 146 years");
        }
        return rounded.longValueExact();
    }

    private BigDecimal number(String column, String expected) {
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
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= LONG_DIGITS;
    }

    private String raw(String column) {
        return fields.get(columns.indexOf(column));
    }
}
